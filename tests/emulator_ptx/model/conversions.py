"""Comparisons, selections and conversions as PTX ISA 8.5 defines them, sections 9.7.6, 9.7.7 and 9.7.9."""

import itertools
from fractions import Fraction

import floats
from floats import BF16, F16, F32, F64, FORMATS
from float_families import cross, on_halves, packed_rows
from integers import EDGES, clamp, value, width_of
from kernel_text import NAN, Step, family_text, kernel

ORDER = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
UNSIGNED_ORDER = {**ORDER, "lo": ORDER["lt"], "ls": ORDER["le"], "hi": ORDER["gt"], "hs": ORDER["ge"]}
COMBINE = {"and": lambda p, q: p & q, "or": lambda p, q: p | q, "xor": lambda p, q: p ^ q}
FLOAT_ORDER = list(ORDER) + ["equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]


def compare_floats(form, name, a, b, ftz=False):
    """Ordered comparisons are false where an operand is a NaN, those with u are true; -0 equals +0."""
    if form.is_nan(a) or form.is_nan(b):
        return name == "nan" or name not in ORDER and name != "num"
    if name in ("num", "nan"):
        return name == "num"
    x, y = (number(form, floats.flush(form, one) if ftz else one) for one in (a, b))
    return ORDER[name[:2]](x, y)


def number(form, bits):
    if form.is_infinite(bits):
        return float("-inf") if bits & form.sign else float("inf")
    return form.value(bits)


def comparisons_of(type_name):
    """(name, width, comparison) of every comparison of the type, and of its form with .ftz."""
    if type_name in FORMATS:
        form = FORMATS[type_name]
        for name, ftz in itertools.product(FLOAT_ORDER, ("", ".ftz") if form in (F32, F16) else ("",)):
            yield name, ftz, lambda a, b, name=name, ftz=ftz: compare_floats(form, name, a, b, bool(ftz))
    else:
        order = {"b": {"eq": ORDER["eq"], "ne": ORDER["ne"]}, "u": UNSIGNED_ORDER, "s": ORDER}[type_name[0]]
        for name, function in order.items():
            as_type = type_name.replace("b", "u")
            yield name, "", lambda a, b, f=function: f(value(a, as_type), value(b, as_type))


def operand_rows(type_name):
    if type_name in FORMATS:
        return cross(FORMATS[type_name])
    edges = EDGES[width_of(type_name)]
    return list(itertools.product(edges[:6] + edges[-1:], repeat=2))


INTEGER_TYPES = ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64")


def setp_kernel(t):
    column = t if t in FORMATS else f"b{width_of(t)}"
    steps = []
    for name, ftz, compare in comparisons_of(t):
        if t in ("f16", "bf16"):
            steps.append(
                Step(f"setp.{name}{ftz}.{t} {{d}}, {{a}}, {{b}};", "pred", lambda a, b, c, f=compare: int(f(a, b)))
            )
        else:
            steps.append(
                Step(
                    f"setp.{name}{ftz}.{t} {{d}}|{{d1}}, {{a}}, {{b}};",
                    "pred pred",
                    lambda a, b, c, f=compare: (int(f(a, b)), int(not f(a, b))),
                )
            )
    names = list(comparisons_of(t))
    for (name, ftz, compare), (word, combine) in itertools.product((names[0], names[-1]), COMBINE.items()):
        steps.append(
            Step(
                f"setp.{name}.{word}{ftz}.{t} {{d}}, {{a}}, {{b}}, {{c}};",
                "pred",
                lambda a, b, c, f=compare, g=combine: g(int(f(a, b)), c),
            )
        )
        steps.append(
            Step(
                f"setp.{name}.{word}{ftz}.{t} {{d}}, {{a}}, {{b}}, !{{c}};",
                "pred",
                lambda a, b, c, f=compare, g=combine: g(int(f(a, b)), 1 - c),
            )
        )
    rows = [(a, b, i % 2) for i, (a, b) in enumerate(operand_rows(t)[::2])]
    return kernel(f"setp_{t}", f"{column} {column} pred", steps, rows)


def truth(type_name, holds):
    """1.0 for a floating-point result, all ones for an integer."""
    if not holds:
        return 0
    if type_name in FORMATS:
        form = FORMATS[type_name]
        return form.bias << form.mantissa_bits
    return -1


def set_kernel(t):
    column = t if t in FORMATS else f"b{width_of(t)}"
    results = {"f16": ("f16", "u16", "s16", "u32", "s32"), "bf16": ("bf16", "u16", "s16", "u32", "s32")}.get(
        t, ("u32", "s32", "f32")
    )
    steps = []
    for i, (name, ftz, compare) in enumerate(comparisons_of(t)):
        result = results[i % len(results)]
        steps.append(
            Step(
                f"set.{name}{ftz}.{result}.{t} {{d}}, {{a}}, {{b}};",
                f"b{result.strip('bfus')}",
                lambda a, b, c, f=compare, r=result: truth(r, f(a, b)),
            )
        )
    if t not in ("f16", "bf16"):
        name, ftz, compare = list(comparisons_of(t))[0]
        for result, (word, combine) in zip(results, COMBINE.items()):
            steps.append(
                Step(
                    f"set.{name}.{word}.{result}.{t} {{d}}, {{a}}, {{b}}, {{c}};",
                    "b32",
                    lambda a, b, c, f=compare, g=combine, r=result: truth(r, g(int(f(a, b)), c)),
                )
            )
    rows = [(a, b, i % 2) for i, (a, b) in enumerate(operand_rows(t)) if i % 2 == 0 or i < 12]
    return kernel(f"set_{t}", f"{column} {column} pred", steps, rows)


def packed_kernel(form):
    t, steps = form.name + "x2", []
    for i, (name, ftz, compare) in enumerate(comparisons_of(form.name)):
        steps.append(
            Step(
                f"setp.{name}{ftz}.{t} {{d}}|{{d1}}, {{a}}, {{b}};",
                "pred pred",
                lambda a, b, f=compare: (int(f(a & 0xFFFF, b & 0xFFFF)), int(f(a >> 16, b >> 16))),
            )
        )
        result = (t, "u32", "s32")[i % 3]

        def function(a, b, f=compare, r=result):
            if r == t:
                return on_halves(lambda x, y: truth(form.name, f(x, y)))(a, b)
            return on_halves(lambda x, y: 0xFFFF if f(x, y) else 0)(a, b)

        steps.append(Step(f"set.{name}{ftz}.{result}.{t} {{d}}, {{a}}, {{b}};", "b32", function))
    return kernel(f"set_{t}", "b32 b32", steps, packed_rows(cross(form)))


def select_kernels():
    kernels = []
    for w in (16, 32, 64):
        types = [t for t in (f"b{w}", f"u{w}", f"s{w}", f"f{w}") if t != "f16"]
        steps = [Step(f"selp.{t} {{d}}, {{a}}, {{b}}, {{c}};", f"b{w}", lambda a, b, c: a if c else b) for t in types]
        steps.append(Step(f"selp.b{w} {{d}}, {{a}}, {{b}}, !{{c}};", f"b{w}", lambda a, b, c: b if c else a))
        kernels.append(
            kernel(f"selp_{w}", f"b{w} b{w} pred", steps, itertools.product(EDGES[w][:3], EDGES[w][-2:], (0, 1)))
        )
        steps = [
            Step(f"slct.{t}.s32 {{d}}, {{a}}, {{b}}, {{c}};", f"b{w}", lambda a, b, c: a if value(c, "s32") >= 0 else b)
            for t in types
        ]

        def by_float(a, b, c, ftz=False):
            c = floats.flush(F32, c) if ftz else c
            return a if not F32.is_nan(c) and number(F32, c) >= 0 else b

        steps += [
            Step(
                f"slct{ftz}.{t}.f32 {{d}}, {{a}}, {{b}}, {{c}};",
                f"b{w}",
                lambda a, b, c, ftz=ftz: by_float(a, b, c, bool(ftz)),
            )
            for t in types
            for ftz in ("", ".ftz")
        ]
        rows = itertools.product(EDGES[w][1:2], EDGES[w][-1:], floats.edges(F32) + EDGES[32])
        kernels.append(kernel(f"slct_{w}", f"b{w} b{w} b32", steps, rows))
    return kernels


ANY_INTEGER = ("u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64")


def holder(t):
    return f"b{max(width_of(t), 16)}"


def fits_in(source, target):
    """Where nothing can saturate, .sat is illegal."""
    far = 1 << 80
    return clamp(clamp(far, source), target) == clamp(far, source) and clamp(clamp(-far, source), target) == clamp(
        -far, source
    )


def integer_to_integer():
    kernels = []
    for source in ANY_INTEGER:
        steps = []
        for target, sat in itertools.product(ANY_INTEGER, ("", ".sat")):
            if sat and fits_in(source, target):
                continue

            def convert(a, target=target, sat=sat):
                exact = value(a, source)
                exact = clamp(exact, target) if sat else exact
                return value(exact, target)

            steps.append(Step(f"cvt{sat}.{target}.{source} {{d}}, {{a}};", holder(target), convert))
        edges = [0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF] + EDGES[max(width_of(source), 16)]
        kernels.append(kernel(f"from_{source}", holder(source), steps, [(a,) for a in dict.fromkeys(edges)]))
    return kernels


def integer_to_float():
    kernels = []
    for source in ANY_INTEGER:
        steps = []
        for form, mode, sat in itertools.product((F16, BF16, F32, F64), ("rn", "rz", "rm", "rp"), ("", ".sat")):
            if form is BF16 and (sat or width_of(source) == 8):
                continue

            def convert(a, form=form, mode=mode, sat=sat):
                bits = form.rounded(Fraction(value(a, source)), mode)
                return floats.saturate(form, bits) if sat else bits

            steps.append(Step(f"cvt.{mode}{sat}.{form.name}.{source} {{d}}, {{a}};", form.name, convert))
        edges = EDGES[max(width_of(source), 16)] + [1 << 24 | 1 if width_of(source) > 24 else 77]
        kernels.append(kernel(f"float_from_{source}", holder(source), steps, [(a,) for a in edges]))
    return kernels


def to_integer(form, a, target, mode):
    """Out of range is clamped; a NaN is zero, or the top bit where a 64-bit type is involved."""
    if form.is_nan(a):
        is_zero = form is not F64 and width_of(target) < 64
        return 0 if is_zero else value(1 << (width_of(target) - 1), target)
    if form.is_infinite(a):
        return clamp(-(1 << 70) if a & form.sign else 1 << 70, target)
    return clamp(floats.integer_of(form.value(a), mode), target)


def float_to_integer():
    kernels = []
    for form in (F16, BF16, F32, F64):
        steps = []
        for target, mode, words in itertools.product(ANY_INTEGER, ("rn", "rz", "rm", "rp"), ("", ".ftz", ".sat")):
            if (words == ".ftz" and form is not F32) or (form is BF16 and (words or width_of(target) == 8)):
                continue

            def convert(a, target=target, mode=mode, words=words):
                return to_integer(form, floats.flush(form, a) if words == ".ftz" else a, target, mode)

            steps.append(Step(f"cvt.{mode}i{words}.{target}.{form.name} {{d}}, {{a}};", holder(target), convert))
        numbers = [2.5, -2.5, 127.5, 128, -128.5, 255.5, 32767.5, 65535] + (
            [2.0**31, -(2.0**31), 2.0**32, 2.0**63, -(2.0**63), 2.0**64, 1e18] if form is not F16 else []
        )
        rows = [(bits,) for bits in floats.edges(form) + [form.rounded(Fraction(n)) for n in numbers]]
        for part, chosen in (("narrow", steps[: len(steps) // 2]), ("wide", steps[len(steps) // 2 :])):
            kernels.append(kernel(f"integer_from_{form.name}_{part}", form.name, chosen, rows))
    return kernels


def convert_float(source, target, a, mode="rn"):
    if source.is_nan(a):
        return floats.nan_of(target)
    sign = target.sign if a & source.sign else 0
    if source.is_infinite(a):
        return sign | target.infinity
    return target.rounded(source.value(a), mode, sign)


def float_steps(source, target):
    """The forms of cvt between two formats: a rounding where precision or range is lost."""
    narrows = source.width > target.width
    modes = ("rn", "rz", "rm", "rp") if narrows else ("",)
    if (source, target) == (F32, BF16):
        modes = ("rn", "rz")
    words = {
        (F64, F32): ("", ".ftz", ".sat", ".ftz.sat"),
        (F32, F64): ("", ".ftz", ".sat", ".ftz.sat"),
        (F16, F32): ("", ".ftz", ".sat"),
        (F32, F16): ("", ".ftz", ".sat"),
        (F64, F16): ("", ".sat"),
        (F16, F64): ("", ".sat"),
    }.get((source, target), ("",))
    if target in (F16, BF16) and source is F32:
        words += (".relu",)
    for mode, word in itertools.product(modes, words):
        if word == ".relu" and mode not in ("rn", "rz"):
            continue

        def convert(a, mode=mode, word=word):
            a = floats.flush(F32, a) if ".ftz" in word and source is F32 else a
            bits = convert_float(source, target, a, mode or "rn")
            if bits is NAN:
                return 0 if ".sat" in word else NAN
            bits = floats.flush(F32, bits) if ".ftz" in word and target is F32 else bits
            bits = floats.saturate(target, bits) if ".sat" in word else bits
            return floats.relu(target, bits) if ".relu" in word else bits

        yield Step(
            f"cvt{'.' + mode if mode else ''}{word}.{target.name}.{source.name} {{d}}, {{a}};", target.name, convert
        )


def round_in_place(form, word):
    def convert(a, mode="rn"):
        a = floats.flush(form, a) if ".ftz" in word else a
        if form.is_nan(a):
            return 0 if ".sat" in word else floats.nan_of(form)
        if not form.is_infinite(a):
            a = form.rounded(Fraction(floats.integer_of(form.value(a), mode)), "rn", a & form.sign)
        return floats.saturate(form, a) if ".sat" in word else a

    return convert


def float_to_float():
    kernels = []
    for source in (F16, BF16, F32, F64):
        steps = []
        for target in (F16, BF16, F32, F64):
            if source is not target and {source, target} != {F16, BF16}:
                steps += float_steps(source, target)
        words = {F32: ("", ".ftz", ".sat", ".ftz.sat"), BF16: ("",)}.get(source, ("", ".sat"))
        for mode, word in itertools.product(("rn", "rz", "rm", "rp"), words):
            steps.append(
                Step(
                    f"cvt.{mode}i{word}.{source.name}.{source.name} {{d}}, {{a}};",
                    source.name,
                    lambda a, mode=mode, word=word, source=source: round_in_place(source, word)(a, mode),
                )
            )
        numbers = [2.5, -2.5, 0.5, 65519, 65520, 2.0**-25] + (
            [2.0**-149, 3.3895e38, 1 + 2.0**-8, 1 + 3 * 2.0**-8] if source.width > 16 else []
        )
        rows = [(bits,) for bits in floats.edges(source) + [source.rounded(Fraction(n)) for n in numbers]]
        kernels.append(kernel(f"float_from_{source.name}", source.name, steps, rows))
    steps = []
    for target, mode, word in itertools.product((F16, BF16), ("rn", "rz"), ("", ".relu")):

        def pack(a, b, target=target, mode=mode, word=word):
            high, low = (convert_float(F32, target, one, mode) for one in (a, b))
            return floats.relu(target, high) << 16 | floats.relu(target, low) if word else high << 16 | low

        steps.append(Step(f"cvt.{mode}{word}.{target.name}x2.f32 {{d}}, {{a}}, {{b}};", "b32", pack))
    kernels.append(kernel("pair_from_f32", "f32 f32", steps, cross(F32)[::2]))
    tf32 = floats.Format("tf32", 19, 10)

    def to_tf32(a):
        if F32.is_nan(a):
            return F32.canonical_nan
        return convert_float(F32, tf32, a, "rna") << 13

    kernels.append(
        kernel(
            "tf32_from_f32",
            "f32",
            [Step("cvt.rna.tf32.f32 {d}, {a};", "b32", to_tf32)],
            [(bits,) for bits in floats.edges(F32) + [0x3F801000, 0x3F800FFF, 0xBF803000]],
        )
    )
    return kernels


ALL_TYPES = INTEGER_TYPES + ("f32", "f64", "f16", "bf16")

FAMILIES = {
    "compare_setp": lambda: family_text("PTX ISA 8.5, 9.7.6: setp", [setp_kernel(t) for t in ALL_TYPES], "7.8"),
    "compare_set": lambda: family_text("PTX ISA 8.5, 9.7.6: set", [set_kernel(t) for t in ALL_TYPES], "7.8"),
    "compare_packed": lambda: family_text(
        "PTX ISA 8.5, 9.7.7: set setp of pairs", [packed_kernel(F16), packed_kernel(BF16)], "7.8"
    ),
    "select": lambda: family_text("PTX ISA 8.5, 9.7.6: selp slct", select_kernels(), "6.3", "sm_75"),
    "convert_integers": lambda: family_text(
        "PTX ISA 8.5, 9.7.9: cvt between integers", integer_to_integer(), "6.3", "sm_75"
    ),
    "convert_integer_to_float": lambda: family_text(
        "PTX ISA 8.5, 9.7.9: cvt from integers to floats", integer_to_float(), "7.8"
    ),
    "convert_float_to_integer": lambda: family_text(
        "PTX ISA 8.5, 9.7.9: cvt from floats to integers", float_to_integer(), "7.8"
    ),
    "convert_floats": lambda: family_text("PTX ISA 8.5, 9.7.9: cvt between floats", float_to_float(), "7.8"),
}
