"""Compares the native build of the math library with what Python and NumPy themselves answer. Silent on success."""
import ctypes
import itertools
import math
import random
import sys
from decimal import Decimal

import numpy as np

np.seterr(all="ignore")
library = ctypes.CDLL(sys.argv[1])
failures = []


def function(name, result, *params):
    f = getattr(library, name)
    f.restype, f.argtypes = result, params
    return f


def same(a, b):
    return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))


def check(what, got, want):
    if not same(float(got), float(want)):
        failures.append(f"{what}: got {got!r}, want {want!r}")


def special_values(dtype):
    info = np.finfo(dtype)
    positive = [0.0, info.smallest_subnormal, info.tiny, info.max, math.inf, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 1e22, info.eps]
    positive += [float(np.nextafter(dtype(x), dtype(0))) for x in (1.0, 2.0, info.tiny)]
    return [dtype(s * x) for x in positive for s in (1, -1)] + [dtype("nan")]


def random_pairs(dtype, count):
    rng = np.random.default_rng(7)
    near = rng.uniform(-50, 50, (count, 2)).astype(dtype)
    integers = rng.integers(-20, 20, (count, 2)).astype(dtype)
    wide = (rng.uniform(-1, 1, (count, 2)) * np.exp2(rng.uniform(-60, 60, (count, 2)))).astype(dtype)
    return np.concatenate([near, integers, wide])


def check_floor_division(dtype, real, suffix):
    floordiv = function("jitc_floordiv_" + suffix, real, real, real)
    pymod = function("jitc_pymod_" + suffix, real, real, real)
    pairs = list(itertools.product(special_values(dtype), repeat=2)) + [tuple(p) for p in random_pairs(dtype, 8000)]
    x, y = (np.array([p[i] for p in pairs], dtype) for i in (0, 1))
    quotients, remainders = np.floor_divide(x, y), np.remainder(x, y)
    for a, b, q, r in zip(x, y, quotients, remainders):
        check(f"{a!r} // {b!r} ({suffix})", floordiv(a, b), q)
        check(f"{a!r} % {b!r} ({suffix})", pymod(a, b), r)
        if suffix == "f8" and b != 0:
            check(f"{a!r} // {b!r} (Python)", floordiv(a, b), float(a) // float(b))
            check(f"{a!r} % {b!r} (Python)", pymod(a, b), float(a) % float(b))


def check_round():
    round_n = function("jitc_round_n_f8", ctypes.c_double, ctypes.c_double, ctypes.c_int32)
    rng = random.Random(7)
    values = [2.675, 0.5, 1.5, 2.5, -2.5, 0.05, 1.005, 5e-324, 1.7976931348623157e308, 1e15 + 0.3, 123456.789, 0.0, -0.0, -0.4]
    values += [rng.uniform(-1000, 1000) for _ in range(2000)] + [rng.randrange(-10**6, 10**6) / 1000 for _ in range(2000)]
    values += [rng.uniform(-1, 1) * 2.0 ** rng.randrange(-60, 60) for _ in range(2000)]
    values += [math.inf, -math.inf, math.nan]
    for x, n in itertools.product(values, range(-22, 23)):
        try:
            want = round(x, n)
        except OverflowError:
            continue
        check(f"round({x!r}, {n})", round_n(x, n), want)
    for n in (309, 400, 2**31 - 1):
        check(f"round(0.1, {n})", round_n(0.1, n), round(0.1, n))
    for n in (-309, -400, -(2**31)):
        check(f"round(-5.0, {n})", round_n(-5.0, n), round(-5.0, n))


def check_round_f4():
    round_n = function("jitc_round_n_f4", ctypes.c_float, ctypes.c_float, ctypes.c_int32)
    rng = random.Random(7)
    values = [rng.uniform(-1000, 1000) for _ in range(2000)] + [rng.randrange(-10**5, 10**5) / 100 for _ in range(2000)]
    values += [rng.uniform(-1, 1) * 2.0 ** rng.randrange(-30, 60) for _ in range(1000)] + [0.125, 2.5, -0.0, 1e-45]
    for x, n in itertools.product(map(np.float32, values), range(-10, 11)):
        # Decimal holds the f4 exactly and rounds it once.
        want = np.float32(float(round(Decimal(float(x)), n)))
        check(f"round({x!r}, {n}) (f4)", round_n(x, n), want)


def check_integer_powers():
    ipow = function("jitc_ipow", ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    upow = function("jitc_upow", ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)
    for base in list(range(-130, 131)) + [2**63 - 1, -(2**63), 2**32 + 1, -(2**31)]:
        for exponent in list(range(0, 130)) + [2**40, 2**63 - 1]:
            want = pow(base, exponent, 2**64)
            if ipow(base, exponent) % 2**64 != want or upow(base % 2**64, exponent) != want:
                failures.append(f"{base} ** {exponent}")


check_floor_division(np.float32, ctypes.c_float, "f4")
check_floor_division(np.float64, ctypes.c_double, "f8")
check_round()
check_round_f4()
check_integer_powers()
for failure in failures[:20]:
    print(failure)
if failures:
    sys.exit(f"{len(failures)} differences")
