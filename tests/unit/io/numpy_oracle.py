"""Writes .npy files in every dtype, order and byte order into a folder, and beside each what NumPy makes of it.

X.npy          the input            X.saved.npy   np.save of the same values, native and C-contiguous
X.literal      how jitc writes it   X.pretty      how NumPy prints it
"""
import pathlib
import sys

import numpy as np
from numpy.lib import format as npy

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(7)
count = 0


def number(value, dtype):
    """The shortest text, the way C++'s to_chars chooses between plain and exponent notation is left to the reader."""
    if dtype == np.bool_:
        return "true" if value else "false"
    return str(int(value)) if dtype.kind in "iu" else ""


def literal(array):
    def items(a):
        return number(a, a.dtype) if a.ndim == 0 else "{" + ", ".join(items(row) for row in a) + "}"

    body = "{}" if array.size == 0 else "{" + items(array) + "}" if array.ndim == 0 else items(array)
    return f"{array.dtype.str[1:]}[{','.join(map(str, array.shape))}] {body}"


def emit(array, version=None):
    global count
    name = out / f"{count:04d}"
    count += 1
    with open(f"{name}.npy", "wb") as file:
        npy.write_array(file, array, version=version)
    native = np.ascontiguousarray(array, array.dtype.newbyteorder("=")).reshape(array.shape)
    np.save(f"{name}.saved.npy", native)
    pathlib.Path(f"{name}.pretty").write_text(np.array2string(native, threshold=200) if native.ndim else "")
    if native.dtype.kind != "f" and native.size < 1000:
        pathlib.Path(f"{name}.literal").write_text(literal(native))


def values(shape, dtype):
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype.newbyteorder("="), endpoint=True).astype(dtype)


TYPES = ["b1"] + [order + t for order in "<>" for t in "i1 i2 i4 i8 u1 u2 u4 u8 f4 f8".split()]
SHAPES = [(), (0,), (1,), (7,), (3, 4), (2, 0, 3), (2, 3, 4), (1, 2, 3, 4, 5)]
for dtype in TYPES:
    for shape in SHAPES:
        for version in [(1, 0), (2, 0), (3, 0)]:
            emit(values(shape, dtype), version)
            emit(np.asfortranarray(values(shape, dtype)).reshape(shape, order="F"), version)

# How floats are printed: exponents, words, widths, line breaks, dots.
for scale in [1, 1e-3, 1e-5, 1e7, 1e8, 1e30, 1e-30]:
    for dtype in ["f4", "f8"]:
        for shape in [(5,), (40,), (3, 30), (2, 3, 4)]:
            emit((values(shape, dtype) * np.dtype(dtype).type(scale)).astype(dtype))
for dtype in ["f4", "f8"]:
    for numbers in [[0], [1], [1, 2.5], [np.nan], [np.inf, 1], [-np.inf, 1, 2], [np.nan, np.inf, -np.inf], [1e300, 1],
                    [0.1, 0.123456789123], [123456.789], [-0.0, 0.0], [1e-300, np.nan], [100, 0.05], [1e5, 1e-3]]:
        with np.errstate(over="ignore", under="ignore"):
            emit(np.array(numbers).astype(dtype))
for shape in [(200,), (201,), (50, 30), (1000, 1000), (8, 9, 20), (3, 400), (400, 3), (5, 6, 7, 8)]:
    for dtype in ["f4", "f8", "i4", "u1", "b1"]:
        emit(values(shape, dtype))
