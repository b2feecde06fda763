"""Cases of statements: stores, masks, loops and branches of scalars, tuples, calls of other functions."""

import numpy as np

from array_maker import Maker, batches
from array_runner import Case
from numpy2 import NAMES


BODIES = [
    # stores
    ("y = x.copy()\ny[1:] = x[:-1]\nreturn y", "2"), ("y = x.copy()\ny[::2] = 3\nreturn y", "1"),
    ("y = x.copy()\ny[0] = y[-1]\nreturn y, x", "2"), ("y = np.zeros_like(x)\ny[:, ::-1] = x\nreturn y", "2"),
    ("y = np.zeros(x.shape, dtype=f8)\ny[...] = x\ny[0, 0] = 7\nreturn y", "2r"), ("y = x.copy()\ny[:] = y[::-1]\nreturn y", "1"),
    ("y = x.copy()\ny[1:] += y[:-1]\nreturn y", "1n"), ("y = x + x\ny *= x\nreturn y", "2n"), ("y = x.copy()\ny -= 1\nreturn y, x", "2n"),
    ("y = x.copy()\nz = y[1:]\nz += 2\nreturn y, z", "1n"), ("y = x.copy()\nz = y.T\nz[0] = 5\nreturn y, z", "2"),
    ("y = x.copy()\ny[x > 1] = 0\nreturn y", "2r"), ("y = x.copy()\ny[y == y.max()] = 3\nreturn y", "2r"),
    ("y = x.copy()\ny[x > 0] = x[0, 0]\nreturn y", "2r"), ("y = x.copy()\ny[x < 2] += 1\nreturn y", "2ri"),
    ("x[0] = 1\nreturn x + 0", "1w"), ("x[...] = x[::-1]\nreturn x", "1w"), ("x += 1\nreturn x", "2wn"),
    # control flow of scalars
    ("y = x\nfor i in range(3):\n    y = y + x * i\nreturn y", "2n"), ("y = x.copy()\nfor i in range(x.shape[0]):\n    y[i] = x[i] + i\nreturn y", "2n"),
    ("y = x.copy()\nfor i in range(1, x.shape[0]):\n    y[i] = y[i - 1] + x[i]\nreturn y", "2n"),
    ("if n > 2:\n    y = x + 1\nelse:\n    y = x * 2\nreturn y", "2n"), ("y = x.copy()\nwhile n > 0:\n    y = y + y\n    n = n - 2\nreturn y", "1n"),
    ("s = x.sum()\nif s > 0:\n    return x + 1\nreturn x", "1rn"), ("for i in range(4):\n    if i == n:\n        break\n    x = x[::-1]\nreturn x", "1"),
    ("t = 0.0\nfor i in range(x.shape[0]):\n    t = t + x[i]\nreturn t * x", "1f"),
    # tuples
    ("return x + 1, x[0], x.sum()", "1n"), ("a, b = x[1:], x[:-1]\nreturn a - b, b, a", "1n"), ("return np.sum(x, axis=0), np.max(x), x.T", "2r"),
    # others
    ("return np.diff(x)", "1n"), ("return np.diff(x, axis=0)", "2n"), ("return np.diff(x, 2, axis=1)", "2n"),
    ("return np.clip(x, 0, 2)", "2r"), ("return x.clip(1, 3)", "2r"), ("return np.clip(x, None, x[0, 0])", "2r"),
    ("return np.select([x > 1, x < 0], [x, x + x], 3)", "2rn"), ("return np.select([x > 2], [x])", "2r"),
    ("return np.where(x > 0, x, np.flip(x))", "1r"), ("return np.where(x[:, None] > x, x, 1)", "1r"),
    ("return np.stack((x[0], x[1], x[0]))", "2+"), ("return np.concatenate((x, x[:, :1]), axis=1)", "2"),
    ("return np.allclose(x, x), np.array_equal(x, x[::-1])", "1f"), ("return np.isclose(x, x + 1e-9)", "2f"),
    ("return (x - x.mean()) / (x.std() + 1)", "2f"), ("return x / np.sum(x * x, axis=1, keepdims=True)", "2f"),
    ("m = np.max(x, axis=1, keepdims=True)\ny = x - m\nreturn y / np.sum(np.abs(y) + 1, axis=1)[:, None]", "2f"),
    ("return x.astype(f8).sum(axis=0) + x[0]", "2r"), ("return x[0] @ x.T, np.sum(x[0] * x, axis=-1)", "2i"),
    ("return np.broadcast_arrays(x, x[0])", "2"), ("return np.divmod(x, x[0] * 2 + 1)", "2i"),
    # calls
    ("return twice(x) + device(x, x)", "1n"), ("return unit(x, x)", "1e"), ("return unit(x, x[:, None])", "1e"),
    ("return other(x) + 1, other(x.T)", "2f"), ("y = helper(x, n)\nreturn y[::-1], helper(y, n)", "1n"),
]

CALLED = '''
@vectorize(["f4(f4, f4)", "i4(i4, i4)", "f8(f8, f8)"])
def unit(a, b):
    if a < b:
        return a - b
    return a * b


@jit
def twice(a):
    return a + a


def device(a, b):
    return a * b - a


@jit("f8[:,:](f8[:,:])")
def other(a):
    return a * 2 - a[0]


def helper(a, n):
    y = a.copy()
    for i in range(n):
        y = y + a[i % a.shape[0]]
    return y
'''


def types_for(flags):
    if "e" in flags:
        return ["f4", "i4", "f8"]
    if "f" in flags:
        return ["f8"]
    if "i" in flags:
        return ["i4", "i8", "u2"]
    out = [t for t in NAMES if not ("r" in flags and t[0] == "c")]
    return [t for t in out if not ("n" in flags and t == "b1")]


def statement_cases(chance, few):
    make = Maker(chance)
    cases = []
    for body, flags in BODIES:
        types = types_for(flags)
        for dtype in types if len(types) < 5 else [make.one_of(types) for _ in range(5)]:
            if few and not make.likely(max(few, 0.25)):
                continue
            rank = int(flags[0])
            shape = tuple(int(chance.integers(3, 7)) for _ in range(rank))
            args = [("x", make.array(dtype, shape)), ("n", np.int64(make.below(5)))]
            indented = "\n".join("    " + line for line in body.split("\n"))
            called = any(w in body for w in ("twice", "device", "unit", "other", "helper"))
            cases.append(Case("statements", args, indented, before=CALLED if called else "", checks_args=True))
    return batches(cases)


GENERATORS = {"statements": statement_cases}
