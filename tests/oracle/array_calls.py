"""Calls of ufuncs and gufuncs on arrays of shapes, strides and places made by chance, against NumPy, bit for bit.

usage: array_calls.py RUN_CALLS [--device cpu] [--count N] [--seed N]

Arrays are views of a few buffers: steps, negative steps, permuted axes, stretched axes, addresses that no vector is aligned
to, and results that lie over arguments, for which NumPy's answer is that of copies. Bytes of a buffer that are not of the
result must stay what they were.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

TEXT = '''
from numba import guvectorize, vectorize

@vectorize(["u1(u1, u1)", "f2(f2, f2)", "i4(i4, i4)", "f4(f4, f4)", "f8(f8, f8)", "c8(c8, c8)"])
def minus(a, b):
    return a - b

@vectorize(["f8(f4, i4, u1)"])
def mixed(a, b, c):
    return (a - b) / (c + 1)

@vectorize(["f4(f4, f4, f4, f4)"])
def four(a, b, c, d):
    return (a - b) * (c - d)

@vectorize(["(i4, i4)", "(f8, f8)"])
def ordered(a, b):
    if a < b:
        return a, b
    return b, a

@vectorize(["f4(f4)"])
def long(a):
    x = a
    for i in range(20):
        x = x - a / (i + 1)
    return x

@guvectorize(["void(f4[:,:], f4[:,:], f4[:,:])", "void(i4[:,:], i4[:,:], i4[:,:])"], "(m,n),(n,p)->(m,p)")
def matmul(a, b, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = 0
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]

@guvectorize(["void(i4[:], i4[:])", "void(c8[:], c8[:])"], "(n)->()")
def total(x, out):
    out[0] = 0
    for i in range(x.size):
        out[0] += x[i]

@guvectorize(["void(f8[:], f4, i4[:], f8[:], i4[:])"], "(n),(),()->(n),()")
def scaled(x, by, offset, out, least):
    least[0] = offset[0]
    for i in range(x.size):
        out[i] = x[i] * by + offset[0]
        least[0] = min(least[0], out[i])

@guvectorize(["void(u1[:], u1[:])"], "(n)->(n)")
def ends_stay(x, out):
    for i in range(1, x.size - 1):
        out[i] = x[i - 1] ^ x[i + 1]
'''


def long_expected(a):
    x = a.copy()
    for i in range(20):
        x = x - a / np.float32(i + 1)
    return x


FUNCTIONS = {
    "minus": ([["u1"] * 2, ["f2"] * 2, ["i4"] * 2, ["f4"] * 2, ["f8"] * 2, ["c8"] * 2], lambda a, b: (a - b,)),
    "mixed": ([["f4", "i4", "u1"]],
              lambda a, b, c: ((a.astype("f8") - b) / (c.astype("i8") + 1),)),
    "four": ([["f4"] * 4], lambda a, b, c, d: ((a - b) * (c - d),)),
    "ordered": ([["i4"] * 2, ["f8"] * 2], lambda a, b: (np.where(a < b, a, b), np.where(a < b, b, a))),
    "long": ([["f4"]], lambda a: (long_expected(a),)),
}


def scaled_expected(x, by, offset):
    out = x * by[..., None] + offset[..., None]
    return out, np.minimum(out.min(-1, initial=1000), offset).astype("i4")


# As above, behind the symbols of the arguments' cores.
GUFUNCS = {
    "matmul": (["mn", "np"], [["f4"] * 2, ["i4"] * 2], lambda a, b: (np.matmul(a, b),)),
    "total": (["n"], [["i4"], ["c8"]], lambda x: (x.sum(-1, dtype=x.dtype),)),
    "scaled": (["n", "", ""], [["f8", "f4", "i4"]], scaled_expected),
}

BUFFER_BYTES = 1 << 17


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(seed)

    def chance(self, of):
        return self.random.randrange(of) == 0

    def buffers(self):
        """Small whole numbers as each type: floats without rounding where they are only subtracted."""
        return {t: self.numpy.integers(0, 100, BUFFER_BYTES // np.dtype(t).itemsize).astype(t)
                for t in ["u1", "f2", "i4", "f4", "f8", "c8"]}

    def shape(self):
        if self.chance(4):
            return (self.random.choice([1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 1023, 1025, 2000]),)
        if self.chance(6):
            return (self.random.randrange(1, 5), self.random.choice([63, 64, 65, 300]))
        rank = self.random.randrange(0, 6)
        return tuple(0 if self.chance(40) else self.random.randrange(1, 5) for _ in range(rank))

    def loops(self):
        """Few, so that cores of any steps fit a buffer beside them."""
        if self.chance(4):
            return (self.random.choice([1, 2, 31, 32, 33]),)
        return tuple(0 if self.chance(40) else self.random.randrange(1, 5) for _ in range(self.random.randrange(0, 3)))

    def view(self, buffer, shape, stretch):
        """A view of that shape: steps and order by chance, and stretched axes where allowed."""
        own = [1 if stretch and self.chance(4) else n for n in shape]
        order = list(range(len(own)))
        if self.chance(2):
            self.random.shuffle(order)
        steps = [self.random.choice([1, 1, 1, 2, -1, -2]) if self.chance(2) else 1 for _ in own]
        padded = [max(1, own[axis] * abs(steps[axis]) + self.random.choice([0, 0, 1])) for axis in order]
        count = int(np.prod(padded, dtype=int))
        start = self.random.randrange(0, buffer.size - count + 1) if self.chance(2) else 16 * self.random.randrange(0, 8)
        dense = buffer[start:start + count].reshape(padded).transpose(np.argsort(order)) if own else buffer[start]
        if not own:
            return buffer[start:start + 1].reshape(())
        cut = tuple(slice(None, None, step) for step in steps)
        out = dense[cut][tuple(slice(0, n) for n in own)]
        return out if out.shape == tuple(shape) or not self.chance(3) else np.broadcast_to(out, shape)

    def core_argument(self, buffer, loops, core):
        """Any of the loop dimensions missing or stretched; an element perhaps as a scalar."""
        if not core and self.chance(4):
            return np.asarray(buffer[self.random.randrange(buffer.size)])[()]
        own = [1 if self.chance(4) else n for n in loops]
        while own and own[0] == 1 and self.chance(2):
            own = own[1:]
        return self.view(buffer, tuple(own) + core, stretch=False)

    def argument(self, buffer, shape):
        if self.chance(6):
            return np.asarray(buffer[self.random.randrange(buffer.size)])[()]
        out = self.view(buffer, shape, stretch=True)
        while out.ndim > 0 and out.shape[0] == 1 and self.chance(2):
            out = out[0]
        return out


def describe(value, buffers):
    names = list(buffers)
    if isinstance(value, np.ndarray):
        dtype = value.dtype.str[1:]
        buffer = buffers[dtype]
        return {"buffer": names.index(dtype), "dtype": dtype, "shape": list(value.shape), "strides": list(value.strides),
                "offset": value.__array_interface__["data"][0] - buffer.__array_interface__["data"][0]}
    raw = value.tobytes()
    if value.dtype == np.complex64:
        return {"dtype": "c8", "bits": int.from_bytes(raw[:4], "little"), "imag_bits": int.from_bytes(raw[4:], "little")}
    return {"dtype": value.dtype.str[1:], "bits": int.from_bytes(raw, "little"), "imag_bits": 0}


def make_partial_call(maker, buffers):
    """Into a given result, of which some elements are not stored."""
    loops, n = maker.loops(), maker.random.randrange(5)
    target = buffers["u1"]
    x, out = (maker.view(target, loops + (n,), stretch=False) for _ in range(2))
    place, old = target.copy(), x.copy()
    new = out.copy()
    new[..., 1:-1] = old[..., :-2] ^ old[..., 2:]
    offset = (out.__array_interface__["data"][0] - target.__array_interface__["data"][0]) if out.size else 0
    np.ndarray(out.shape, target.dtype, place, offset, out.strides)[...] = new
    return {"function": "ends_stay", "args": [describe(x, buffers)], "out": [describe(out, buffers)]}, place


def make_gufunc_call(maker, buffers):
    name = maker.random.choice(list(GUFUNCS))
    inputs, types, function = GUFUNCS[name]
    loops = maker.loops()
    sizes = {symbol: 0 if maker.chance(10) else maker.random.randrange(1, 6) for symbol in "mnp"}
    cores = [tuple(sizes[symbol] for symbol in core) for core in inputs]
    args = [maker.core_argument(buffers[t], loops, core) for t, core in zip(maker.random.choice(types), cores)]
    given = [np.shape(a)[:np.ndim(a) - len(core)] for a, core in zip(args, cores)]
    shape = np.broadcast_shapes(*given)
    full = [np.broadcast_to(a, shape + core) for a, core in zip(args, cores)]
    expected = [np.ascontiguousarray(r).reshape(r.shape) for r in map(np.asarray, function(*full))]
    return finish_call(maker, buffers, {"function": name, "args": [describe(a, buffers) for a in args]}, expected)


def make_call(maker, buffers):
    """A call, and what becomes of it: results, or the whole buffer that they are stored in."""
    if maker.chance(3):
        return make_partial_call(maker, buffers) if maker.chance(5) else make_gufunc_call(maker, buffers)
    name = maker.random.choice(list(FUNCTIONS))
    types, function = FUNCTIONS[name]
    shape = maker.shape()
    while True:
        args = [maker.argument(buffers[t], shape) for t in maker.random.choice(types)]
        if any(isinstance(a, np.ndarray) for a in args):
            break
    call = {"function": name, "args": [describe(a, buffers) for a in args]}
    with np.errstate(all="ignore"):
        expected = [np.array(r) for r in np.broadcast_arrays(*function(*[np.array(a) for a in args]))]
    return finish_call(maker, buffers, call, expected)


def finish_call(maker, buffers, call, expected):
    """Perhaps with a given result."""
    if len(expected) == 1 and maker.chance(2):
        # Into an array that may share memory with the arguments, and may have more axes than they broadcast to.
        result = expected[0]
        target = buffers[result.dtype.str[1:]]
        wide = ((2,) + result.shape) if maker.chance(4) else result.shape
        place = target.copy()
        out = maker.view(target, wide, stretch=False)
        offset = (out.__array_interface__["data"][0] - target.__array_interface__["data"][0]) if out.size else 0
        np.ndarray(wide, target.dtype, place, offset, out.strides)[...] = result
        call["out"] = [describe(out, buffers)]
        return call, place
    return call, expected


def same(a, b):
    return a.tobytes() == b.tobytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("run_calls")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    maker = Maker(options.seed)
    buffers = maker.buffers()
    calls, expectations = [], []
    for number in range(options.count):
        call, expected = make_call(maker, buffers)
        if "out" in call:
            call["after"] = [{"buffer": call["out"][0]["buffer"], "file": f"after{number}"}]
        calls.append(call)
        expectations.append(expected)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for dtype, buffer in buffers.items():
            (folder / dtype).write_bytes(buffer.tobytes())
        jobs = {"device": options.device, "texts": [TEXT], "buffers": list(buffers), "calls": calls}
        (folder / "jobs.json").write_text(json.dumps(jobs))
        subprocess.run([options.run_calls, folder], check=True)
        faults = 0
        results = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
        data = (folder / "results.bin").read_bytes()
        for call, expected, got in zip(calls, expectations, results, strict=True):
            fault = got.get("error")
            if fault is None and "out" in call:
                if (folder / call["after"][0]["file"]).read_bytes() != expected.tobytes():
                    fault = "another result in the given array, or something else was written to"
            elif fault is None:
                for want, have in zip(expected, got["results"], strict=True):
                    count = int(np.prod(have["shape"], dtype=int))
                    array = np.frombuffer(data, have["dtype"], count, have["offset"]).reshape(have["shape"])
                    if want.dtype.str[1:] != have["dtype"] or want.shape != array.shape:
                        fault = f"{have['dtype']} of shape {array.shape}, not {want.dtype} of shape {want.shape}"
                    elif not same(want, array):
                        fault = f"{array.ravel()[:8]} … not {want.ravel()[:8]} …"
            if fault is not None:
                faults += 1
                print(f"{json.dumps(call)}\n    {fault}")
    print(f"{len(calls)} calls on {options.device}, {faults} wrong (seed {options.seed})")
    return 1 if faults else 0


sys.exit(main())
