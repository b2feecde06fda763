"""run_example.py JITC FILE: runs each command in the head of a .dsl file and compares the results with NumPy."""

import ast
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "cli" / "files"))
import expected
import read_picture
from exact import ulp_distance

FILLS = {"zeros": 0, "empty": 0, "ones": 1}


def commands(dsl):
    """The lines `#   jitc run …` of the head, as lists of words."""
    return [shlex.split(line[1:]) for line in dsl.read_text().splitlines() if line.startswith("#   jitc run ")]


def initial_value(spec, written):
    """The value an argument has before the launch. `written` is the file where an unmodified array was saved."""
    if re.fullmatch(r"[-+.\w]+", spec) and not spec.endswith(".npy"):
        return ast.literal_eval(spec)
    if spec.endswith(".npy"):
        return np.load(spec)
    if literal := re.fullmatch(r"(\w+)\[([\d,]+)\]\{(.*)\}", spec):
        shape = tuple(int(n) for n in literal[2].split(","))
        return np.array([float(item) for item in literal[3].split(",")]).astype(literal[1]).reshape(shape)
    kind, *middle, array_type = spec.split(":")
    if kind in ("random", "normal"):
        return np.load(written)
    if kind == "xoroshiro":
        count, seed = re.fullmatch(r"xoroshiro:u8\[(\d+),2\]:seed=(\d+)", spec).groups()
        return expected.generators(int(count), int(seed))
    dtype, extents = re.fullmatch(r"(\w+)\[([\d,]+)\]", array_type).groups()
    shape = tuple(int(n) for n in extents.split(","))
    if kind == "arange":
        return np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    return np.full(shape, float(middle[0]) if kind == "full" else FILLS[kind]).astype(dtype)


def check(got, want, kernel, what):
    if kernel in expected.MAX_ERROR:
        assert got.shape == want.shape, f"{what}: {got.dtype}{got.shape}"
        error = np.max(np.abs(got - want))
        assert error <= expected.MAX_ERROR[kernel], f"{what}: off by {error}, allowed {expected.MAX_ERROR[kernel]}"
    elif (max_ulp := expected.MAX_ULP.get(kernel)) is None:
        assert got.dtype == want.dtype and got.shape == want.shape, f"{what}: {got.dtype}{got.shape}"
        bits = f"V{got.itemsize}" if got.dtype.kind == "c" else f"u{got.itemsize}"
        wrong = np.argwhere(got.view(bits) != want.view(bits))
        assert len(wrong) == 0, f"{what}: {len(wrong)} elements differ, first at {wrong[0]}: " \
            f"{got[tuple(wrong[0])]!r} instead of {want[tuple(wrong[0])]!r}"
    else:
        distance = ulp_distance(got, want)
        assert distance <= max_ulp, f"{what}: off by {distance:.2f} ulp, allowed {max_ulp}"


def load(path):
    """The array of a file that the command wrote: .npy, or a picture of 8 bits."""
    if path.endswith(".npy"):
        return np.load(path)
    width, height, bits, colour, rows = read_picture.read(path)
    assert bits == 8, f"{bits} bits"
    return np.array(rows, "u1").reshape(height, width, *([] if colour == "grey" else [len(colour)]))


def run(jitc, command, folder):
    """Runs one command with every array written to `folder`, and compares what the kernel computed."""
    specs = dict(command[i + 1].split("=", 1) for i, word in enumerate(command) if word == "--arg")
    files = {name: f"{folder}/{name}.npy" for name, spec in specs.items() if re.search(r"[:{]|\.npy$", spec)}
    file = pathlib.Path(command[2])
    kernel = file.stem if command[3].startswith("-") else command[3]
    for result in expected.CALLED.get(kernel, []):
        files[result] = f"{folder}/{result}.npy"
    for i in [i for i, word in enumerate(command) if word == "--out"][::-1]:
        name, path = command[i + 1].split("=", 1)
        files[name] = f"{folder}/{path}"
        del command[i:i + 2]
    outs = [word for name, path in files.items() for word in ("--out", f"{name}={path}")]
    device = os.environ.get("JITC_EXAMPLE_DEVICE", "cpu")
    subprocess.run([jitc, *command[1:], "--device", device, *outs], check=True, stdout=subprocess.DEVNULL)

    arguments = {name: initial_value(spec, files.get(name)) for name, spec in specs.items()}
    options = {word[2:]: command[i + 1] for i, word in enumerate(command) if word == "--axis"}
    options |= {"keepdims": True for word in command if word == "--keepdims"}
    results = getattr(expected, kernel.replace(".", "_"))(**arguments, **options)
    assert results
    for name, want in results.items():
        check(load(files[name]), want, kernel, f"{kernel}: {name}")


def main():
    jitc, dsl = sys.argv[1], pathlib.Path(sys.argv[2])
    found = commands(dsl)
    assert found, f"{dsl} has no command in its head"
    for command in found:
        print("to be the same as NumPy:", shlex.join(command))
        with tempfile.TemporaryDirectory() as folder:
            run(jitc, command, folder)


main()
