"""Floating-point instructions as PTX ISA 8.5 defines them, sections 9.7.3 and 9.7.4."""

import itertools
import math
from fractions import Fraction

import floats
from floats import BF16, F16, F32, F64, Format
from kernel_text import NAN, Between, Step, family_text, kernel

MODES = ("rn", "rz", "rm", "rp")


def cross(form):
    """Every edge with every other one would be 676 rows: the second operand takes every fifth."""
    all_edges = floats.edges(form)
    return [(a, b) for i, a in enumerate(all_edges) for j, b in enumerate(all_edges) if (i + j) % 5 == 0]


def triples(form):
    e = floats.edges(form)
    some = [e[0], e[1], e[2], e[6], e[11], e[12], e[14], e[18], e[20], e[21], e[24]]
    return [t for i, t in enumerate(itertools.product(some, repeat=3)) if i % 9 == 0]


def with_rules(form, function, ftz=False, sat=False, relu=False):
    """What .ftz, .sat and .relu do before and after."""

    def ruled(*operands):
        operands = [floats.flush(form, one) if ftz else one for one in operands]
        bits = function(*operands)
        if bits is NAN:
            return NAN
        if ftz:
            bits = floats.flush(form, bits)
        if relu:
            bits = floats.relu(form, bits)
        return floats.saturate(form, bits) if sat else bits

    return ruled


def on_halves(function):
    def packed(*operands):
        low = function(*(one & 0xFFFF for one in operands))
        high = function(*(one >> 16 for one in operands))
        return low | high << 16

    return packed


def step(form, name, function, operands, mode="rn", **rules):
    ruled = with_rules(form, lambda *values: function(form, *values, mode), **rules)
    return Step(f"{name} {{d}}, {', '.join('{' + one + '}' for one in operands)};", form.name, ruled)


def single_and_double(name, function, operands, rows, explicit):
    """The forms of f32 and f64; `explicit` where a rounding must be written."""
    single, double = [], []
    for mode in MODES + (() if explicit else ("",)):
        word = f".{mode}" if mode else ""
        for ftz, sat in itertools.product((False, True), repeat=2):
            full = f"{name}{word}{'.ftz' if ftz else ''}{'.sat' if sat else ''}.f32"
            if sat and name in ("div", "sqrt", "rcp"):
                continue
            single.append(step(F32, full, function, operands, mode or "rn", ftz=ftz, sat=sat))
        double.append(step(F64, f"{name}{word}.f64", function, operands, mode or "rn"))
    n = len(operands)
    return [
        kernel(f"{name}_f32", " ".join(["f32"] * n), single, rows(F32)),
        kernel(f"{name}_f64", " ".join(["f64"] * n), double, rows(F64)),
    ]


def unary_rows(form):
    return [(a,) for a in floats.edges(form)] + [(form.rounded(Fraction(n)),) for n in (2, 3, 4, 10, 144)]


def reciprocal(form, a, mode="rn"):
    return floats.div(form, form.bias << form.mantissa_bits, a, mode)


def arithmetic_families():
    sub = lambda form, a, b, mode="rn": floats.add(form, a, b if form.is_nan(b) else b ^ form.sign, mode)
    families = {
        "float_add": [("add", floats.add, "ab", cross, False), ("sub", sub, "ab", cross, False)],
        "float_multiply": [("mul", floats.mul, "ab", cross, False)],
        "float_fma": [("fma", floats.fma, "abc", triples, True), ("mad", floats.fma, "abc", triples, True)],
        "float_divide": [("div", floats.div, "ab", cross, True), ("rcp", reciprocal, "a", unary_rows, True)],
        "float_sqrt": [("sqrt", floats.sqrt, "a", unary_rows, True)],
    }
    return {
        name: (
            lambda rows=rows, name=name: family_text(
                f"PTX ISA 8.5, 9.7.3: {' '.join(row[0] for row in rows)} in every rounding",
                sum((single_and_double(*row) for row in rows), []),
                "6.3",
                "sm_75",
            )
        )
        for name, rows in families.items()
    }


def sign_kernels():
    kernels = []
    for form in (F32, F64):
        t = form.name
        tests = {
            "finite": lambda f, a: a & (f.sign - 1) < f.infinity,
            "infinite": Format.is_infinite,
            "number": lambda f, a: not f.is_nan(a),
            "notanumber": Format.is_nan,
            "subnormal": Format.is_subnormal,
            "normal": lambda f, a: 1 << f.mantissa_bits <= a & (f.sign - 1) < f.infinity,
        }
        steps = [
            Step(f"testp.{name}.{t} {{d}}, {{a}};", "pred", lambda a, test=test, f=form: int(bool(test(f, a))))
            for name, test in tests.items()
        ]
        for name, change in (("abs", lambda f, a: a & ~f.sign), ("neg", lambda f, a: a ^ f.sign)):
            for ftz in ("", ".ftz") if form is F32 else ("",):
                steps.append(
                    Step(
                        f"{name}{ftz}.{t} {{d}}, {{a}};",
                        t,
                        lambda a, f=form, ftz=ftz, change=change: (
                            NAN if f.is_nan(a) else change(f, floats.flush(f, a) if ftz else a)
                        ),
                    )
                )
        kernels.append(kernel(f"signs_{t}", t, steps, unary_rows(form)))
        copy = [
            Step(f"copysign.{t} {{d}}, {{a}}, {{b}};", f"b{form.width}", lambda a, b, f=form: a & f.sign | b & ~f.sign)
        ]
        kernels.append(kernel(f"copysign_{t}", f"{t} {t}", copy, cross(form)))
    return kernels


def min_steps(form, packed=False):
    steps, t = [], form.name + ("x2" if packed else "")
    column = "b32" if packed else form.name
    flushes = ("", ".ftz") if form in (F32, F16) else ("",)
    for name, sign in (("min", 1), ("max", -1)):
        for ftz, nan, xorsign in itertools.product(flushes, ("", ".NaN"), ("", ".xorsign.abs")):
            if form is F64 and (nan or xorsign):
                continue

            def function(a, b, sign=sign, ftz=ftz, nan=nan, xorsign=xorsign):
                if ftz:
                    a, b = floats.flush(form, a), floats.flush(form, b)
                if not xorsign:
                    return floats.minimum(form, a, b, sign, bool(nan))
                result = floats.minimum(form, a & ~form.sign, b & ~form.sign, sign, bool(nan))
                return result if form.is_nan(result) else result & ~form.sign | (a ^ b) & form.sign

            steps.append(
                Step(
                    f"{name}{ftz}{nan}{xorsign}.{t} {{d}}, {{a}}, {{b}};",
                    column,
                    on_halves(function) if packed else function,
                )
            )
    return steps


def packed_rows(rows):
    """Rows two by two: one in the lower half, one in the upper."""
    rows = list(rows)
    return [tuple(low | high << 16 for low, high in zip(rows[i], rows[-1 - i])) for i in range(0, len(rows), 2)]


def min_kernels():
    kernels = [
        kernel(f"min_max_{form.name}", f"{form.name} {form.name}", min_steps(form), cross(form))
        for form in (F32, F64, F16, BF16)
    ]
    return kernels + [
        kernel(f"min_max_{form.name}x2", "b32 b32", min_steps(form, True), packed_rows(cross(form)))
        for form in (F16, BF16)
    ]


def half_kernels():
    kernels = []
    sub = lambda form, a, b, mode="rn": floats.add(form, a, b if form.is_nan(b) else b ^ form.sign, mode)
    for form, packed in itertools.product((F16, BF16), (False, True)):
        t = form.name + ("x2" if packed else "")
        column = "b32" if packed else form.name
        wrap = on_halves if packed else lambda function: function
        flags = [(f, s) for f in (False, True) for s in (False, True)] if form is F16 else [(False, False)]
        two, three, one = [], [], []
        for ftz, sat in flags:
            words = (".ftz" if ftz else "") + (".sat" if sat else "")
            for name, function in (("add", floats.add), ("sub", sub), ("mul", floats.mul)):
                for mode in ("", ".rn"):
                    ruled = with_rules(form, lambda a, b, function=function: function(form, a, b), ftz=ftz, sat=sat)
                    two.append(Step(f"{name}{mode}{words}.{t} {{d}}, {{a}}, {{b}};", column, wrap(ruled)))
            ruled = with_rules(form, lambda a, b, c: floats.fma(form, a, b, c), ftz=ftz, sat=sat)
            three.append(Step(f"fma.rn{words}.{t} {{d}}, {{a}}, {{b}}, {{c}};", column, wrap(ruled)))
            if not sat:
                ruled = with_rules(form, lambda a, b, c: floats.fma(form, a, b, c), ftz=ftz, relu=True)
                three.append(Step(f"fma.rn{words}.relu.{t} {{d}}, {{a}}, {{b}}, {{c}};", column, wrap(ruled)))
        for ftz in ("", ".ftz") if form is F16 else ("",):
            for name, change in (("abs", lambda a: a & ~form.sign), ("neg", lambda a: a ^ form.sign)):
                one.append(
                    Step(
                        f"{name}{ftz}.{t} {{d}}, {{a}};",
                        column,
                        wrap(lambda a, ftz=ftz, change=change: change(floats.flush(form, a) if ftz else a)),
                    )
                )
        numbers = [(a,) for (a,) in unary_rows(form) if not form.is_nan(a)]
        rows = (
            (packed_rows(cross(form)), packed_rows(triples(form)), packed_rows(numbers))
            if packed
            else (cross(form), triples(form), numbers)
        )
        for name, steps, operands, some in (
            ("two", two, 2, rows[0]),
            ("three", three, 3, rows[1]),
            ("one", one, 1, rows[2]),
        ):
            kernels.append(kernel(f"{name}_{t}", " ".join([column] * operands), steps, some))
    return kernels


def between(form, low, high):
    """Numbers, outwards to the format's own."""
    return Between(form.rounded(low, "rm"), form.rounded(high, "rp"))


def relative(form, number, error):
    spread = abs(number) * error
    return between(form, number - spread, number + spread)


def absolute(form, number, error):
    return between(form, number - error, number + error)


def approximation(special, function, bound, form=F32, ftz=False):
    """`special` maps operands to results; the others are the function's, as far as the bound says."""

    def approximate(a):
        a = floats.flush(form, a) if ftz else a
        if a in special:
            return special[a]
        if form.is_nan(a):
            return floats.nan_of(form)
        if a & form.sign and "negative" in special:
            return special["negative"]
        return bound(form, Fraction(function(float(form.value(a)))))

    return approximate


def special_results(form, minus_infinity, minus_zero, plus_zero, plus_infinity, negative=None):
    values = {
        "0": 0,
        "-0": form.sign,
        "inf": form.infinity,
        "-inf": form.sign | form.infinity,
        "nan": floats.nan_of(form),
        "1": form.bias << form.mantissa_bits,
        "-1": form.sign | form.bias << form.mantissa_bits,
    }
    table = {
        form.sign | form.infinity: values[minus_infinity],
        form.sign: values[minus_zero],
        0: values[plus_zero],
        form.infinity: values[plus_infinity],
    }
    if negative:
        table["negative"] = values[negative]
    return table


def ulps(count):
    def bound(form, number):
        unit = Fraction(2) ** (math.frexp(float(number))[1] - 1 - form.mantissa_bits) if number else 0
        return absolute(form, number, count * unit)

    return bound


def rel(exponent):
    return lambda form, number: relative(form, number, Fraction(2.0**exponent))


def abs_(exponent):
    return lambda form, number: absolute(form, number, Fraction(2.0**exponent))


def rows_of(form, numbers):
    special = [0, form.sign, form.infinity, form.sign | form.infinity, form.infinity | 1]
    return [(bits,) for bits in special] + [(form.rounded(Fraction(n)),) for n in numbers]


NUMBERS = [2.0**-100, 1e-5, 0.125, 1 / 3, 0.5, 0.99999, 1, 1.25, 2, math.pi, 7, 10, 100, 12345.678, 2.0**60]


def approximate_kernels():
    def both(name, special, function, bound):
        return [
            Step(
                f"{name}.approx{ftz}.f32 {{d}}, {{a}};", "f32", approximation(special, function, bound, F32, bool(ftz))
            )
            for ftz in ("", ".ftz")
        ]

    positive = (
        both("rcp", special_results(F32, "-0", "-inf", "inf", "0"), lambda x: 1 / x, ulps(1))
        + both("sqrt", special_results(F32, "nan", "-0", "0", "inf", "nan"), math.sqrt, rel(-23))
        + both("rsqrt", special_results(F32, "nan", "-inf", "inf", "0", "nan"), lambda x: 1 / math.sqrt(x), rel(-22.9))
        + both(
            "lg2",
            special_results(F32, "nan", "-inf", "-inf", "inf", "nan"),
            math.log2,
            lambda form, number: absolute(form, number, max(abs(number), 1) * Fraction(2.0**-22)),
        )
    )
    periodic = both("sin", special_results(F32, "nan", "-0", "0", "nan"), math.sin, abs_(-20.5)) + both(
        "cos", special_results(F32, "nan", "1", "1", "nan"), math.cos, abs_(-20.5)
    )
    growing = both("ex2", special_results(F32, "0", "1", "1", "inf"), lambda x: 2.0**x, rel(-22)) + [
        Step(
            "tanh.approx.f32 {d}, {a};",
            "f32",
            approximation(special_results(F32, "-1", "-0", "0", "1"), math.tanh, rel(-11)),
        )
    ]
    small = [x for x in NUMBERS if x < 6.2]
    signed = lambda numbers: numbers + [-x for x in numbers]
    return [
        kernel("approximate_positive", "f32", positive, rows_of(F32, NUMBERS + [-1, -0.25])),
        kernel("approximate_periodic", "f32", periodic, rows_of(F32, signed(small))),
        kernel("approximate_growing", "f32", growing, rows_of(F32, signed([x for x in NUMBERS if x < 60]))),
    ]


def divide_kernels():
    def quotient(name, ftz):
        def function(a, b):
            a, b = (floats.flush(F32, a), floats.flush(F32, b)) if ftz else (a, b)
            exact = floats.div(F32, a, b)
            ordinary = all(not F32.is_nan(x) and not F32.is_infinite(x) and x & ~F32.sign for x in (a, b))
            if not ordinary:
                return exact
            number = F32.value(a) / F32.value(b)
            return ulps(2)(F32, number)

        return Step(f"div.{name}{ftz}.f32 {{d}}, {{a}}, {{b}};", "f32", function)

    steps = [quotient(name, ftz) for name in ("approx", "full") for ftz in ("", ".ftz")]
    numbers = [bits for (bits,) in rows_of(F32, [1, -1.5, 3, 1e-3, 1e10])]
    return [kernel("approximate_division", "f32 f32", steps, itertools.product(numbers, repeat=2))]


def double_kernels():
    """.approx.ftz.f64 gives the upper half: an error of up to 2^-20, a result whose lower half is zero."""

    def upper(special, function):
        def approximate(a):
            a = floats.flush(F64, a)
            if a in special:
                return special[a]
            if F64.is_nan(a):
                return NAN
            return rel(-19)(F64, Fraction(function(float(F64.value(a)))))

        return approximate

    steps = [
        Step(
            "rcp.approx.ftz.f64 {d}, {a};",
            "f64",
            upper(special_results(F64, "-0", "-inf", "inf", "0"), lambda x: 1 / x),
        ),
        Step(
            "rsqrt.approx.ftz.f64 {d}, {a};",
            "f64",
            upper(special_results(F64, "nan", "-inf", "inf", "0"), lambda x: 1 / math.sqrt(x)),
        ),
        Step(
            "rsqrt.approx.f64 {d}, {a};",
            "f64",
            upper(special_results(F64, "nan", "-inf", "inf", "0"), lambda x: 1 / math.sqrt(x)),
        ),
    ]
    return [kernel("approximate_double", "f64", steps, rows_of(F64, NUMBERS))]


def half_approximate_kernels():
    kernels = []
    for form, ftz, exponents in ((F16, "", (-9.9, -10.987)), (BF16, ".ftz", (-7, -8))):
        exp2 = approximation(
            special_results(form, "0", "1", "1", "inf"), lambda x: 2.0**x, rel(exponents[0]), form, bool(ftz)
        )
        tanh = approximation(
            special_results(form, "-1", "-0", "0", "1"),
            math.tanh,
            abs_(exponents[1]) if form is F16 else rel(exponents[1]),
            form,
        )
        steps = [
            Step(f"ex2.approx{ftz}.{form.name} {{d}}, {{a}};", form.name, exp2),
            Step(f"tanh.approx.{form.name} {{d}}, {{a}};", form.name, tanh),
        ]
        for name, function in ((f"ex2.approx{ftz}", exp2), ("tanh.approx", tanh)):
            code = (
                "{{ .reg .b32 p; mov.b32 p, {{{a}, {a}}}; "
                + f"{name}.{form.name}x2 p, p; "
                + "mov.b32 {{{d}, {d1}}}, p; }}"
            )
            steps.append(Step(code, f"{form.name} {form.name}", lambda a, function=function: (function(a),) * 2))
        kernels.append(
            kernel(
                f"approximate_{form.name}",
                form.name,
                steps,
                rows_of(form, [x for x in NUMBERS if 1e-6 < x < 14] + [-0.5, -3]),
            )
        )
    return kernels


FAMILIES = {
    **arithmetic_families(),
    "float_signs": lambda: family_text("PTX ISA 8.5, 9.7.3: testp copysign abs neg", sign_kernels(), "6.3", "sm_75"),
    "float_min_max": lambda: family_text(
        "PTX ISA 8.5, 9.7.3, 9.7.4: min max with .NaN and .xorsign.abs", min_kernels(), "7.2", "sm_86"
    ),
    "half_arithmetic": lambda: family_text(
        "PTX ISA 8.5, 9.7.4: add sub mul fma abs neg of halves and pairs", half_kernels(), "7.8", "sm_90"
    ),
    "float_approximate": lambda: family_text(
        "PTX ISA 8.5, 9.7.3: the approximations, within the errors it gives",
        approximate_kernels() + divide_kernels() + double_kernels(),
        "7.0",
        "sm_75",
    ),
    "half_approximate": lambda: family_text("PTX ISA 8.5, 9.7.4: ex2 tanh", half_approximate_kernels(), "7.8", "sm_90"),
}
