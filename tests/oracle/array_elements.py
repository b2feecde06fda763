"""Cases of operations of each element: operators and functions on all types and pairs, with edge values."""

import math
import pathlib
import re

import numpy as np

import numpy2
from array_runner import Case, Check
from numpy2 import COMPLEX, NAMES

ACCURACY = pathlib.Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"


def kind(name):
    return np.dtype(name).kind if name != "b1" else "b"


def is_int(name):
    return kind(name) in "biu"


def real_edges(name):
    info = np.finfo(name)
    wanted = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.25, 0.1, 1e10, -255.5, 16777217.0,
              float(info.max), float(info.min), float(info.tiny), float(info.tiny) / 8, -float(info.eps)]
    return np.array(wanted, dtype=name)


def edges(name):
    if name == "b1":
        return np.array([False, True])
    if kind(name) in "iu":
        low, high = int(np.iinfo(name).min), int(np.iinfo(name).max)
        bits = 8 * int(name[1])
        wanted = [low, low + 1, -100, -3, -2, -1, 0, 1, 2, 3, 7, 10, bits - 1, bits, bits + 1, 100, high // 2, high - 1, high]
        return np.array(sorted({v for v in wanted if low <= v <= high}), dtype=name)
    if kind(name) == "f":
        return real_edges(name)
    parts = [0.0, -0.0, 1.0, -2.5, 0.1, np.inf, np.nan]
    return np.array([complex(re, im) for re in parts for im in parts], dtype=name)


def small_complex(name, chance):
    return (chance.uniform(-3, 3, 24) + 1j * chance.uniform(-3, 3, 24)).astype(name)


def pairs(a, b, way):
    """All pairs: flat arrays, arrays that broadcast, or views with steps."""
    if way == 0:
        return a[:, None].copy(), b.copy()
    x, y = (np.ascontiguousarray(v.ravel()) for v in np.meshgrid(a, b, indexing="ij"))
    if way == 1:
        return x, y
    wide = np.zeros(2 * x.size, x.dtype)
    wide[::2] = x[::-1]
    return wide[::2][::-1], y


# --- pairs of types


def exact_expressions(p, q):
    common = numpy2.name_of(np.promote_types(np.dtype("?") if p == "b1" else p, np.dtype("?") if q == "b1" else q))
    common = "b1" if common in ("b1", "?") else common
    out = ["a + b", "a * b", "a == b", "a != b", "np.logical_xor(a, b)", "np.where(b, a, b)"]
    if common != "b1":
        out.append("a - b")
    if kind(common) == "c":
        return out
    out += ["a / b", "a // b", "a % b", "a < b", "a <= b", "a > b", "a >= b", "np.minimum(a, b)", "np.maximum(a, b)",
            "np.fmin(a, b)", "np.fmax(a, b)", "np.where(a > b, a, b)", "np.logical_and(a, b)", "np.logical_or(a, b)",
            "np.clip(a, b, b)"]
    if is_int(common):
        out += ["a & b", "a | b", "a ^ b", "a << b", "a >> b", "a ** b"]
    return out


def pair_cases(chance, few):
    number = 0
    for p in NAMES:
        for q in NAMES:
            number += 1
            if few and chance.random() > few:
                continue
            a, b = pairs(edges(p), edges(q), number % 3)
            args = [("a", a), ("b", b)]
            expressions = exact_expressions(p, q)
            for at in range(0, len(expressions), 9):
                yield [Case(f"pairs {p} {q}", args, expressions=expressions[at:at + 9])]


def float_pair_cases(chance, few):
    """Functions of two floats, within their published bounds."""
    for p in NAMES:
        for q in NAMES:
            if "c" in (kind(p), kind(q)) or (few and chance.random() > few):
                continue
            a, b = pairs(edges(p), edges(q), 0)
            expressions, checks = [], []
            for name, row in {"arctan2": "atan2", "hypot": "hypot", "logaddexp": "logaddexp"}.items():
                expressions.append(f"np.{name}(a, b)")
                checks.append(bounded(getattr(np, name), row, [a, b]))
            t = float_type(common_float(a, b))
            expressions += ["np.copysign(a, b)", "np.nextafter(a, b)"]
            checks += [Check(f(a.astype(t), b.astype(t))) for f in (np.copysign, nextafter)]
            if kind(p) == "f" or kind(q) == "f":
                expressions.append("a ** b")
                checks.append(power_check(a, b))
                expressions.append("np.fmod(a, b)")
                checks.append(Check(np.fmod(a.astype(t), b.astype(t))))
            yield [Case(f"float functions {p} {q}", [("a", a), ("b", b)], expressions=expressions, checks=checks)]


def nextafter(x, y):
    """Of equal values the second, as in C; NumPy's halves take the first."""
    return np.where(x == y, y, np.nextafter(x, y))


def power_check(a, b):
    want = numpy2.power(a, b)
    if a.dtype.kind == "f" and b.dtype.kind in "biu":
        return Check(want, ulps(want, 1.5 + 0.5))  # powi; its exponents go beyond 1000
    x, y = numpy2.meet(a, b)
    wide = np.power(x.astype("g"), y.astype("g"))
    name = numpy2.name_of(want.dtype)
    return Check(want, ulps(want, bound("pow", name)), wide)


# --- published bounds


def accuracy():
    out = {}
    for line in ACCURACY.read_text().splitlines():
        row = re.match(r"\| (\w+) \| ([\d.]+) \| ([\d.]+) \|", line)
        if row:
            out[row[1]] = {"f4": float(row[2]), "f8": float(row[3])}
    return out


TABLE = accuracy()


def bound(row, name):
    """Published, in ulp. f2 is f4's, rounded once. A little more because the reference itself is rounded."""
    return 0.51 if name == "f2" else TABLE[row][name] + 0.01


def ulps(want, count):
    """Of the largest number where the result itself overflows."""
    real = np.abs(want)
    largest = np.finfo(real.dtype).max
    return count * np.spacing(np.minimum(real, largest)).astype("g")


def float_type(dtype):
    """What a function of floats computes in."""
    if dtype.kind in "fc":
        return dtype
    return np.dtype({1: "f2", 2: "f4"}.get(dtype.itemsize, "f8"))


def common_float(a, b):
    return np.promote_types(float_type(a.dtype), float_type(b.dtype))


def bounded(function, row, args):
    t = float_type(args[0].dtype)
    for a in args[1:]:
        t = np.promote_types(t, float_type(a.dtype))
    wide = function(*[a.astype(t).astype("g") for a in args])
    want = wide.astype(t)
    name = numpy2.name_of(t)
    scale = want
    if row == "logaddexp":  # in ulp of the larger argument where the result is below it
        larger = np.maximum(np.abs(args[0].astype(t)), np.abs(args[1].astype(t)))
        scale = np.where(np.isfinite(larger), np.maximum(np.abs(want), larger), want).astype(t)
    return Check(want, ulps(scale, bound(row, name)), wide)


UNARY_MATH = {"sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
              "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
              "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log", "log2": "log2", "log10": "log10",
              "log1p": "log1p", "cbrt": "cbrt"}
UNARY_EXACT = ["np.sqrt(a)", "np.floor(a)", "np.ceil(a)", "np.trunc(a)", "np.rint(a)", "np.fabs(a)", "np.degrees(a)",
               "np.deg2rad(a)"]
PYTHON_MATH = {"erf": math.erf, "erfc": math.erfc}


def values_of(name, chance, count=40):
    out = edges(name)
    if kind(name) == "f":
        more = [chance.uniform(-1, 1, count), chance.uniform(-20, 20, count), 10.0 ** chance.uniform(-4, 4, count)]
        out = np.concatenate([out] + [m.astype(name) for m in more])
    elif kind(name) in "iu":
        low, high = np.iinfo(name).min, np.iinfo(name).max
        out = np.concatenate([out, chance.integers(low, high, count, dtype=name, endpoint=True)])
    return out


def unary_cases(chance, few):
    for name in NAMES:
        if few and chance.random() > max(few, 0.3):
            continue
        a = values_of(name, chance)
        if kind(name) != "c":
            yield from math_cases(name, a)
        yield [Case(f"unary {name}", [("a", a)], expressions=unary_expressions(name))]
        yield [Case(f"casts {name}", [("a", a)], expressions=[
            f"a.astype({to})" for to in NAMES if kind(name) != "c" or kind(to) in "c"])]
        yield [Case(f"unary {name}", [("a", a)], expressions=[
            "np.real(a)", "np.imag(a)", "np.conj(a)", "np.nan_to_num(a)" if kind(name) != "c" else "np.square(a)"])]


def math_cases(name, a):
    expressions = [f"np.{f}(a)" for f in UNARY_MATH]
    checks = [bounded(getattr(np, f), row, [a]) for f, row in UNARY_MATH.items()]
    for at in range(0, len(expressions), 5):
        yield [Case(f"math {name}", [("a", a)], expressions=expressions[at:at + 5], checks=checks[at:at + 5])]
    t = float_type(a.dtype)
    x = a.astype(t)
    wants = [np.sqrt(x), np.floor(x), np.ceil(x), np.trunc(x), np.rint(x), np.fabs(x), x * t.type(180 / math.pi),
             x * t.type(math.pi / 180)]
    yield [Case(f"rounding {name}", [("a", a)], expressions=UNARY_EXACT, checks=[Check(w) for w in wants])]
    if kind(name) == "f" and name != "f8":  # in f8 the reference would be no better than the function
        checks = []
        for f in PYTHON_MATH.values():
            wide = np.array([f(float(v)) for v in x])
            checks.append(Check(wide.astype(t), ulps(wide.astype(t), bound(f.__name__, numpy2.name_of(t))), wide))
        yield [Case(f"math {name}", [("a", a)], expressions=["math.erf(a)", "math.erfc(a)"], checks=checks)]


def unary_expressions(name):
    out = ["+a", "-a", "abs(a)", "np.sign(a)", "np.square(a)", "a.T", "np.logical_not(a)", "np.isnan(a)", "np.isinf(a)",
           "np.isfinite(a)", "np.reciprocal(a)"]
    if name == "b1":
        return ["~a", "abs(a)", "np.logical_not(a)", "np.isnan(a)", "np.isinf(a)", "np.isfinite(a)", "np.invert(a)"]
    if kind(name) == "c":
        return ["+a", "-a", "np.square(a)", "np.logical_not(a)", "np.isnan(a)", "np.isinf(a)", "np.isfinite(a)", "a.real",
                "a.imag", "a.conj()"]
    if is_int(name):
        return [e for e in out if "reciprocal" not in e] + ["~a", "np.round(a)", "np.bitwise_not(a)"]
    return out + ["np.signbit(a)", "np.round(a)", "np.around(a)"]


# --- numbers beside arrays


CONSTANTS = ["a + 2", "3 - a", "a * 2", "a / 3", "a // 2", "a % 3", "a ** 2", "a == 1", "a != -1", "a < 300", "a >= -1",
             "a * 0.5", "0.25 + a", "a - 1.5", "a / 2.0", "a > 0.5", "a + True", "np.maximum(a, 1)", "np.minimum(a, 0.5)",
             "np.where(a > 1, a, 0)", "np.where(a > 1, 2.5, a)", "np.clip(a, 1, 5)", "a + a.shape[0]", "a * len(a)"]


def constant_cases(chance, few):
    for name in NAMES:
        if few and chance.random() > max(few, 0.3):
            continue
        a = edges(name)
        expressions = [e for e in CONSTANTS if not (name == "b1" and e.startswith("3 - "))]
        if kind(name) == "c":
            expressions = ["a + 2", "3 - a", "a * 2", "a == 1", "a != -1", "a * 0.5", "0.25 + a", "a + 1j", "a - 1.5", "a + True"]
        elif len(a) > 100:
            expressions = [e for e in expressions if "shape" not in e and "len" not in e]
        if kind(name) != "c":
            expressions = expressions + ["a + 1j", "a == 1j"]
        if is_int(name) and name != "b1":
            expressions = expressions + ["a & 6", "a | 1", "a ^ 5", "a << 2", "a >> 1"]
        for at in range(0, len(expressions), 10):
            yield [Case(f"constants {name}", [("a", a)], expressions=expressions[at:at + 10])]


def scalar_cases(chance, few):
    """An array and a number that is known at the call."""
    for name in NAMES:
        for other in NAMES:
            if few and chance.random() > few or chance.random() < 0.4:
                continue
            a, b = edges(name), edges(other)
            args = [("a", a), ("s", b[int(chance.integers(len(b)))])]
            turned = [re.sub(r"\bb\b", "s", e) for e in exact_expressions(name, other)]
            chosen = [turned[int(k)] for k in chance.choice(len(turned), min(6, len(turned)), replace=False)]
            yield [Case(f"scalars {name} {other}", args, expressions=chosen)]


COMPLEX_FUNCTIONS = ["exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arctan", "arcsinh", "log10"]


def complex_cases(chance, few):
    """Of middling arguments, within a few ulp of the magnitude (docs/accuracy.md)."""
    for name in COMPLEX:
        real = "f4" if name == "c8" else "f8"
        for other in COMPLEX + ["f4", "f8", "i4", "u1"]:
            a, b = small_complex(name, chance), chance.uniform(1, 3, 24).astype(other)
            if other in COMPLEX:
                b = small_complex(other, chance)
            if chance.random() < 0.5:
                a, b = b, a
            t = np.promote_types(a.dtype, b.dtype)
            wide = a.astype("G") / b.astype("G")
            yield [Case(f"complex {name} {other}", [("a", a), ("b", b)], expressions=["a / b"],
                        checks=[near(wide, t)])]
        a = small_complex(name, chance)
        expressions = [f"np.{f}(a)" for f in COMPLEX_FUNCTIONS] + ["abs(a)", "np.angle(a)"]
        wides = [getattr(np, f)(a.astype("G")) for f in COMPLEX_FUNCTIONS]
        checks = [near(w, name) for w in wides] + [near(np.abs(a.astype("G")), real), near(np.angle(a.astype("G")), real)]
        yield [Case(f"complex {name}", [("a", a)], expressions=expressions, checks=checks)]


def near(wide, dtype):
    want = wide.astype(dtype)
    return Check(want, 8 * np.finfo(dtype).eps * np.abs(wide), wide)


GENERATORS = {"pairs": pair_cases, "float_pairs": float_pair_cases, "unary": unary_cases, "constants": constant_cases,
              "scalars": scalar_cases, "complex": complex_cases}
