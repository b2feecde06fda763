"""Operators on all pairs of types, and casts, against NumPy.

usage: arithmetic.py RUN_JOBS

Results are stored in the widest type of their kind (i8, f8, b1), so that a result computed in a wrong type shows:
255 + 1 is 0 in u1 and 256 in i2. Prints one line per kind of difference and the number of checks.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

NAMES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
INT_OPERATORS = ["<<", ">>", "&", "|", "^"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
FUNCTIONS = ["min", "max", "np.minimum", "np.maximum", "np.fmin", "np.fmax"]


def is_float(name):
    return name[0] == "f"


def is_int(name):
    return name[0] in "iu"


def limits(name):
    info = np.iinfo(name)
    return int(info.min), int(info.max)


def edge_values(name):
    if name == "b1":
        return np.array([False, True])
    if is_int(name):
        low, high = limits(name)
        bits = 8 * int(name[1])
        wanted = [low, low + 1, -100, -3, -2, -1, 0, 1, 2, 3, 7, 10, bits - 1, bits, bits + 1, 100, high // 2, high - 1, high]
        return np.array(sorted({v for v in wanted if low <= v <= high}), dtype=name)
    info = np.finfo(name)
    wanted = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.25, 0.1, 1e10, -255.5, 16777217.0, 3.0e9,
              float(info.max), float(info.tiny), float(info.tiny) / 8, -float(info.eps)]
    return np.array(wanted, dtype=name)


# --- the language's types and values, where NumPy has none or another one


def common_type(a, b):
    """Two b1 count as ints, as in Python; beside another type b1 takes that type."""
    return "i8" if a == b == "b1" else np.promote_types(a, b).str[1:]


def wrap(values, name):
    bits = 8 * int(name[1])
    low, _ = limits(name)
    return np.array([(v - low) % 2**bits + low for v in values], dtype=object).astype(name)


def python_ints(values):
    return [int(v) for v in values]


def int_power(base, exponent):
    if exponent >= 0:
        return pow(base, exponent, 2**64) if abs(base) > 1 else base**exponent if exponent < 64 else base ** (62 + exponent % 2)
    return {1: 1, -1: -1 if exponent % 2 else 1}.get(base, 0)


def shift(op, value, count, bits):
    if 0 <= count < bits:
        return value << count if op == "<<" else value >> count
    return -1 if op == ">>" and value < 0 else 0


def float_to_int_power(base, exponent, name):
    """Exact parity, which a conversion of the exponent to f8 would lose."""
    magnitude = np.power(np.abs(base).astype("f8"), np.array(exponent, dtype="f8")).astype(name)
    odd = np.array([e % 2 == 1 for e in exponent])
    return np.where(np.signbit(base) & odd, -magnitude, magnitude)


class Check:
    """One output array of a kernel: its expression, and what it must hold."""

    def __init__(self, expression, expected, tolerance=0.0):
        self.expression = expression
        self.expected = expected
        self.tolerance = tolerance
        kind = expected.dtype.kind
        self.stored = "b1" if kind == "b" else "f8" if kind == "f" else "i8"

    def stored_expected(self):
        return self.expected.astype("f8" if self.stored == "f8" else "?" if self.stored == "b1" else "i8")


def operator_checks(a_name, b_name, a, b):
    """a and b are arrays of all pairs of edge values."""
    common = common_type(a_name, b_name)
    x, y = a.astype(common), b.astype(common)
    both_typed = a_name != "b1" and b_name != "b1"
    if both_typed:
        assert (a + b).dtype == np.dtype(common)
    yield Check("a[i] + b[i]", x + y)
    yield Check("a[i] - b[i]", x - y)
    yield Check("a[i] * b[i]", x * y)
    yield Check("a[i] / b[i]", x / y)
    yield Check("a[i] // b[i]", x // y)
    yield Check("a[i] % b[i]", x % y)
    yield power_check(a_name, b_name, a, b, common)
    if not is_float(a_name) and not is_float(b_name):
        yield from int_checks(a_name, b_name, a, b, common)
        p, q = (np.array(python_ints(v), dtype=object) for v in (a, b))
    else:
        p, q = x, y
    for op in COMPARISONS:
        yield Check(f"a[i] {op} b[i]", eval(f"p {op} q").astype(bool))
    if both_typed:
        yield Check("min(a[i], b[i])", np.where(y < x, y, x))
        yield Check("max(a[i], b[i])", np.where(y > x, y, x))
        if common == "f2":  # of two equal zeros NumPy's halves take the left one, its other floats the right one
            x, y = x.astype("f4"), y.astype("f4")
        for function in FUNCTIONS[2:]:
            yield Check(f"{function}(a[i], b[i])", eval(f"{function}(x, y)").astype(common))


def power_check(a_name, b_name, a, b, common):
    if is_float(common) and not is_float(b_name):
        kept = a_name if is_float(a_name) else common
        expected = float_to_int_power(a.astype(kept), python_ints(b), kept)
        return Check("a[i] ** b[i]", expected, {"f2": 1e-3, "f4": 1e-5, "f8": 1e-12}[kept])
    if is_float(common):
        expected = np.power(a.astype(common), b.astype(common))
        return Check("a[i] ** b[i]", expected, {"f2": 1e-3, "f4": 1e-6, "f8": 1e-14}[common])
    # The operands are converted first: a large u4 exponent beside an i4 base is an i8 one.
    pairs = zip(python_ints(a.astype(common)), python_ints(b.astype(common)))
    return Check("a[i] ** b[i]", wrap([int_power(p, q) for p, q in pairs], common))


def int_checks(a_name, b_name, a, b, common):
    shifted = common if is_int(common) else a_name
    bits = 8 * int(shifted[1])
    for op in ("<<", ">>"):
        values = [shift(op, p, q, bits) for p, q in zip(python_ints(a), python_ints(b))]
        yield Check(f"a[i] {op} b[i]", wrap(values, shifted))
    if is_float(common):
        return  # u8 with a signed type: an error with a fix-it
    if a_name == "b1" and b_name == "b1":
        common = "?"
    x, y = a.astype(common), b.astype(common)
    yield Check("a[i] & b[i]", x & y)
    yield Check("a[i] | b[i]", x | y)
    yield Check("a[i] ^ b[i]", x ^ y)


def cast(values, to):
    if to == "b1":
        return values != 0
    if is_float(to):
        return values.astype(to)
    low, high = limits(to)
    if values.dtype.kind != "f":
        return wrap(python_ints(values), to)

    def one(v):
        if np.isnan(v):
            return 0
        return low if v <= low else high if v >= high else int(v)

    return np.array([one(float(v)) for v in values], dtype=object).astype(to)


def unary_checks(name, a):
    kept = "i8" if name == "b1" else name
    x = a.astype(kept)
    yield Check("-a[i]", -x)
    yield Check("+a[i]", +x)
    yield Check("not a[i]", a == 0)
    if name == "b1":
        yield Check("~a[i]", ~a)
    elif is_int(name):
        yield Check("~a[i]", ~x)
    yield Check("abs(a[i])", np.abs(x))
    for to in NAMES:
        yield Check(f"{to}(a[i])", cast(a, to))


# --- complex numbers: their parts, as two results


COMPLEX = ["c8", "c16"]


def complex_edges(name):
    parts = [0.0, -0.0, 1.0, -2.5, 0.1, 3e9, np.inf, -np.inf, np.nan]
    return np.array([complex(re, im) for re in parts for im in parts], dtype=name)


def parts(expression, expected, tolerance=0.0):
    """The real and the imaginary part of an expression."""
    yield Check(f"({expression}).real", expected.real.copy(), tolerance)
    yield Check(f"({expression}).imag", expected.imag.copy(), tolerance)


def complex_common(a_name, b_name):
    return "c" + np.result_type(a_name, b_name).str[2:]


def complex_checks(a_name, b_name, a, b):
    """+ - * to the last bit."""
    common = complex_common(a_name, b_name)
    x, y = a.astype(common), b.astype(common)
    yield from parts("a[i] + b[i]", x + y)
    yield from parts("a[i] - b[i]", x - y)
    yield from parts("a[i] * b[i]", product_of(x, y))
    yield Check("a[i] == b[i]", x == y)
    yield Check("a[i] != b[i]", x != y)


def product_of(x, y):
    """The four products, rounded one by one; NumPy's loops may fuse two of them."""
    out = np.empty_like(x)
    out.real = x.real * y.real - x.imag * y.imag
    out.imag = x.real * y.imag + x.imag * y.real
    return out


def complex_quotient_checks(a_name, b_name, a, b):
    """Closely, of divisors of middling size: as NumPy's, the formula overflows at the ends."""
    common = complex_common(a_name, b_name)
    x, y = a.astype(common), b.astype(common)
    wide = x.astype("c32") / y.astype("c32") if hasattr(np, "complex256") else x.astype("c16") / y.astype("c16")
    limit = {"c8": 4e-7, "c16": 8e-16}[common]
    got = f"abs(a[i] / b[i] - q[i]) <= {limit} * abs(q[i])"
    return wide.astype("c16"), Check(got, np.ones(len(a), bool))


def complex_unary_checks(name, a):
    yield from parts("-a[i]", -a)
    yield from parts("+a[i]", a)
    yield from parts("a[i].conjugate()", np.conj(a))
    yield Check("not a[i]", a == 0)
    for to in COMPLEX:
        yield from parts(f"{to}(a[i])", a.astype(to))


def complex_jobs():
    for a_name in COMPLEX:
        values = complex_edges(a_name)
        yield Job(f"unary on {a_name}", [("a", a_name, values)], complex_unary_checks(a_name, values))
        for b_name in COMPLEX + ["f4", "f8", "i4", "u1"]:
            others = complex_edges(b_name) if b_name in COMPLEX else edge_values(b_name)
            a, b = (np.ascontiguousarray(v.ravel()) for v in np.meshgrid(values, others, indexing="ij"))
            inputs = [("a", a_name, a), ("b", b_name, b)]
            yield Job(f"{a_name} with {b_name}", inputs, complex_checks(a_name, b_name, a, b))
            yield Job(f"{b_name} with {a_name}", [("a", b_name, b), ("b", a_name, a)],
                      complex_checks(b_name, a_name, b, a))
            small = np.isfinite(a) & np.isfinite(b) & (np.abs(b.astype("c16")) > 1e-30) & (np.abs(b.astype("c16")) < 1e9)
            a, b = a[small], b[small]
            quotient, check = complex_quotient_checks(a_name, b_name, a, b)
            yield Job(f"{a_name} / {b_name}", [("a", a_name, a), ("b", b_name, b), ("q", "c16", quotient)], [check])


# --- kernels


class Job:
    def __init__(self, title, inputs, checks):
        self.title = title
        self.inputs = inputs  # [(name, dtype name, values)]
        self.checks = list(checks)

    def text(self):
        outs = [f"o{n}" for n in range(len(self.checks))]
        types = [t for _, t, _ in self.inputs] + [c.stored for c in self.checks]
        signature = ", ".join(f"{t}[:]" for t in types)
        names = ", ".join([n for n, _, _ in self.inputs] + outs)
        lines = [f"        {o}[i] = {c.expression}" for o, c in zip(outs, self.checks)]
        head = "import numpy as np\nfrom numba import cuda, " + ", ".join(NAMES + COMPLEX)
        body = "\n".join(["    i = cuda.grid(1)", "    if i < a.size:"] + lines)
        return f'{head}\n\n@cuda.jit("void({signature})")\ndef k({names}):\n{body}\n'

    def write(self, folder, number):
        """Files of the arguments; those of the outputs are filled with a pattern that no result has by chance."""
        size = len(self.inputs[0][2])
        args = []
        for name, dtype, values in self.inputs:
            args.append({"dtype": dtype, "file": f"{number}.{name}"})
            (folder / args[-1]["file"]).write_bytes(values.tobytes())
        for n, check in enumerate(self.checks):
            args.append({"dtype": check.stored, "file": f"{number}.o{n}"})
            (folder / args[-1]["file"]).write_bytes(b"\1" * (size * int(check.stored[1])))
        return {"text": self.text(), "kernel": "k", "size": size, "args": args}

    def compare(self, folder, number):
        """(checks, differences)."""
        differences = []
        count = 0
        for n, check in enumerate(self.checks):
            expected = check.stored_expected()
            actual = np.fromfile(folder / f"{number}.o{n}", dtype=expected.dtype)
            wrong = np.flatnonzero(~equal(expected, actual, check.tolerance))
            count += len(expected)
            if len(wrong):
                at = wrong[0]
                values = ", ".join(f"{name} = {v[at]!r}" for name, _, v in self.inputs)
                differences.append(f"{self.title}: {check.expression} with {values} is {actual[at]!r}, "
                                   f"expected {expected[at]!r} ({len(wrong)} of {len(expected)} differ)")
        return count, differences


def equal(expected, actual, tolerance):
    if expected.dtype.kind != "f":
        return expected == actual
    same_bits = expected.view("u8") == actual.view("u8")
    both_nan = np.isnan(expected) & np.isnan(actual)
    close = np.abs(actual - expected) <= tolerance * np.abs(expected) if tolerance else False
    return same_bits | both_nan | close


def make_jobs():
    jobs = []
    for a_name in NAMES:
        values = edge_values(a_name)
        jobs.append(Job(f"unary on {a_name}", [("a", a_name, values)], unary_checks(a_name, values)))
        for b_name in NAMES:
            a, b = (v.ravel() for v in np.meshgrid(edge_values(a_name), edge_values(b_name), indexing="ij"))
            a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
            inputs = [("a", a_name, a), ("b", b_name, b)]
            jobs.append(Job(f"{a_name} with {b_name}", inputs, operator_checks(a_name, b_name, a, b)))
    return jobs + list(complex_jobs())


def main():
    np.seterr(all="ignore")
    if hasattr(np, "_set_promotion_state"):
        np._set_promotion_state("weak")
    jobs = make_jobs()
    total, differences = 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "jobs.json").write_text(json.dumps([job.write(folder, n) for n, job in enumerate(jobs)]))
        subprocess.run([sys.argv[1], name], check=True)
        errors = json.loads((folder / "errors.json").read_text())
        for n, (job, error) in enumerate(zip(jobs, errors)):
            if error:
                differences.append(f"{job.title}: {error}")
                continue
            count, wrong = job.compare(folder, n)
            total += count
            differences += wrong
    print("\n".join(differences))
    print(f"{total} checks, {len(differences)} expressions differ")
    return 1 if differences or total < 50_000 else 0


sys.exit(main())
