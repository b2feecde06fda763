"""cvt to and from bytes and with .satfinite, cvt.pack, and what came after the first tables of integers: PTX ISA 8.5,
sections 9.7.8, 9.7.9 and 9.7.14. The formats of eight bits are written out as the list of their numbers."""

import itertools
from fractions import Fraction

import floats
from conversions import FLOAT_ORDER, COMBINE, compare_floats, convert_float
from float_families import cross, packed_rows
from floats import BF16, F16, F32
from integers import EDGES, clamp, value
from kernel_text import Step, family_text, kernel


def numbers_of(exponent_bits, mantissa_bits, largest):
    """(value, byte) of the numbers that are not negative, in their order."""
    bias = (1 << (exponent_bits - 1)) - 1
    for byte in range(largest + 1):
        exponent, fraction = byte >> mantissa_bits, byte & ((1 << mantissa_bits) - 1)
        fraction += (1 << mantissa_bits) if exponent else 0
        yield Fraction(fraction) * Fraction(2) ** (max(exponent, 1) - bias - mantissa_bits), byte


E4M3, E5M2 = list(numbers_of(4, 3, 0x7E)), list(numbers_of(5, 2, 0x7B))
NAN_BYTE = 0x7F


def to_byte(form, bits, numbers, relu):
    """The nearest number, of two as near the even one; what is too large becomes the largest."""
    if form.is_nan(bits):
        return NAN_BYTE
    sign = 0x80 if bits & form.sign else 0
    if sign and relu:
        return 0
    if form.is_infinite(bits):
        return sign | numbers[-1][1]
    magnitude = abs(form.value(bits))
    return sign | min(numbers, key=lambda one: (abs(one[0] - magnitude), one[1] & 1))[1]


def from_byte(byte, numbers, relu):
    magnitude, sign = byte & 0x7F, byte & 0x80
    if magnitude > numbers[-1][1]:
        is_infinite = numbers is E5M2 and magnitude == 0x7C
        bits = (F16.sign if sign else 0) | F16.infinity if is_infinite else F16.canonical_nan
    else:
        bits = F16.rounded(numbers[magnitude][0]) | (F16.sign if sign else 0)
    return floats.relu(F16, bits) if relu else bits


def byte_kernels():
    singles, halves, bytes_ = [], [], []
    for (name, numbers), relu in itertools.product((("e4m3x2", E4M3), ("e5m2x2", E5M2)), ("", ".relu")):

        def from_singles(a, b, numbers=numbers, relu=relu):
            return to_byte(F32, a, numbers, relu) << 8 | to_byte(F32, b, numbers, relu)

        def from_halves(a, numbers=numbers, relu=relu):
            return to_byte(F16, a >> 16, numbers, relu) << 8 | to_byte(F16, a & 0xFFFF, numbers, relu)

        def to_halves(a, numbers=numbers, relu=relu):
            return from_byte(a >> 8, numbers, relu) << 16 | from_byte(a & 0xFF, numbers, relu)

        singles.append(Step(f"cvt.rn.satfinite{relu}.{name}.f32 {{d}}, {{a}}, {{b}};", "b16", from_singles))
        halves.append(Step(f"cvt.rn.satfinite{relu}.{name}.f16x2 {{d}}, {{a}};", "b16", from_halves))
        bytes_.append(Step(f"cvt.rn{relu}.f16x2.{name} {{d}}, {{a}};", "b32", to_halves))
    values = [0.5, 1.0625, 1.1875, 17, 240, 256, 272, 288, 447, 448, 464, 465, 57344, 61440, 1e6, 2.0**-9, 2.0**-10]
    values += [3 * 2.0**-10, 2.0**-16, 2.0**-17, 3 * 2.0**-17]
    rows = [(F32.rounded(Fraction(x)), F32.rounded(-Fraction(x) * 3 / 2)) for x in values] + cross(F32)[::4]
    half_rows = [(low | high << 16,) for low, high in cross(F16)[::2]]
    half_rows += [(F16.rounded(Fraction(x)) | F16.rounded(-Fraction(x) / 3) << 16,) for x in values[:14]]
    return [
        kernel("bytes_from_f32", "f32 f32", singles, rows),
        kernel("bytes_from_halves", "b32", halves, half_rows),
        kernel("halves_from_bytes", "b16", bytes_, [(byte << 8 | 255 - byte,) for byte in range(256)]),
    ]


def satfinite_kernels():
    single, pair = [], []
    for form, mode, relu in itertools.product((F16, BF16), ("rn", "rz"), ("", ".relu")):

        def convert(a, form=form, mode=mode, relu=relu):
            bits = convert_float(F32, form, a, mode)
            bits -= form.is_infinite(bits)
            return floats.relu(form, bits) if relu else bits

        single.append(
            Step(f"cvt.{mode}{relu}.satfinite.{form.name}.f32 {{d}}, {{a}};", form.name, lambda a, b, f=convert: f(a))
        )
        pair.append(
            Step(
                f"cvt.{mode}{relu}.satfinite.{form.name}x2.f32 {{d}}, {{a}}, {{b}};",
                "b32",
                lambda a, b, f=convert: f(a) << 16 | f(b),
            )
        )
    tf32 = floats.Format("tf32", 19, 10)

    def to_tf32(a, mode, relu=False, satfinite=False):
        if F32.is_nan(a):
            return F32.canonical_nan
        bits = convert_float(F32, tf32, a, mode)
        bits -= satfinite and tf32.is_infinite(bits)
        return (0 if relu and bits & tf32.sign else bits) << 13

    for mode, relu in itertools.product(("rn", "rz"), ("", ".relu")):
        single.append(
            Step(f"cvt.{mode}{relu}.tf32.f32 {{d}}, {{a}};", "b32", lambda a, b, m=mode, r=relu: to_tf32(a, m, bool(r)))
        )
    single.append(Step("cvt.rna.satfinite.tf32.f32 {d}, {a};", "b32", lambda a, b: to_tf32(a, "rna", False, True)))
    return [kernel("satfinite", "f32 f32", single + pair, cross(F32)[::2])]


def integer_kernels():
    def pack(target):
        width = int(target[1:])
        mask = (1 << width) - 1

        def packed(a, b, c):
            low, high = (clamp(value(one, "s32"), target) & mask for one in (b, a))
            return (low | high << width | (c << 16 if width == 8 else 0)) & 0xFFFFFFFF

        return packed

    steps = [Step(f"cvt.pack.sat.{t}.s32 {{d}}, {{a}}, {{b}};", "b32", pack(t)) for t in ("u16", "s16")]
    steps += [Step(f"cvt.pack.sat.{t}.s32.b32 {{d}}, {{a}}, {{b}}, {{c}};", "b32", pack(t)) for t in ("u8", "s8")]

    def distances(a, b, t, u):
        for place in range(0, 32, 8):
            yield abs(value(a >> place, t[0] + "8") - value(b >> place, u[0] + "8"))

    for t, u in itertools.product(("u32", "s32"), repeat=2):
        steps.append(
            Step(
                f"vabsdiff4.u32.{t}.{u} {{d}}, {{a}}, {{b}}, {{c}};",
                "b32",
                lambda a, b, c, t=t, u=u: sum((d & 255) << (8 * i) for i, d in enumerate(distances(a, b, t, u))),
            )
        )
        steps.append(
            Step(
                f"vabsdiff4.u32.{t}.{u}.add {{d}}, {{a}}, {{b}}, {{c}};",
                "b32",
                lambda a, b, c, t=t, u=u: c + sum(distances(a, b, t, u)),
            )
        )
    for name, function in (("min", min), ("max", max)):
        steps.append(
            Step(
                f"{name}.s32.relu {{d}}, {{a}}, {{b}};",
                "b32",
                lambda a, b, c, f=function: max(f(value(a, "s32"), value(b, "s32")), 0),
            )
        )

        def halves(a, b, c, function=function):
            low, high = (max(function(value(a >> i, "s16"), value(b >> i, "s16")), 0) for i in (0, 16))
            return low | high << 16

        steps.append(Step(f"{name}.s16x2.relu {{d}}, {{a}}, {{b}};", "b32", halves))
    rows = itertools.product(EDGES[32] + [127, 128, -129 & 0xFFFFFFFF], EDGES[32][::2] + [40000], [0, 0x12345678])
    lop3 = [
        Step(
            f"lop3.{word}.b32 {{d}}|{{d1}}, {{a}}, {{b}}, {{a}}, 0x80, {{c}};",
            "b32 pred",
            lambda a, b, c, f=combine: (a & b, f(int(a & b != 0), c)),
        )
        for word, combine in (("or", COMBINE["or"]), ("and", COMBINE["and"]))
    ]
    lop3_rows = itertools.product([0, 1, 0xF0F0F0F0], [0, 0xFF, 0x0F0F0F0F], [0, 1])
    return [kernel("packing", "b32 b32 b32", steps, rows), kernel("lop3_predicate", "b32 b32 pred", lop3, lop3_rows)]


def packed_setp_kernels():
    kernels = []
    for form in (F16, BF16):
        steps = []
        for i, (name, (word, combine)) in enumerate(itertools.product(FLOAT_ORDER, COMBINE.items())):
            ftz = ".ftz" if form is F16 and i % 2 else ""

            def decide(a, b, c, name=name, ftz=ftz, combine=combine):
                halves = ((a & 0xFFFF, b & 0xFFFF), (a >> 16, b >> 16))
                return tuple(combine(int(compare_floats(form, name, x, y, bool(ftz))), c) for x, y in halves)

            steps.append(
                Step(f"setp.{name}.{word}{ftz}.{form.name}x2 {{d}}|{{d1}}, {{a}}, {{b}}, {{c}};", "pred pred", decide)
            )
        rows = [(a, b, i % 2) for i, (a, b) in enumerate(packed_rows(cross(form))[::3])]
        kernels.append(kernel(f"setp_with_predicate_{form.name}x2", "b32 b32 pred", steps, rows))
    return kernels


FAMILIES = {
    "convert_bytes": lambda: family_text("PTX ISA 8.5, 9.7.9: cvt of e4m3x2, e5m2x2", byte_kernels(), "8.1"),
    "convert_satfinite": lambda: family_text(
        "PTX ISA 8.5, 9.7.9: cvt with .satfinite, tf32", satfinite_kernels(), "8.1"
    ),
    "packing": lambda: family_text(
        "PTX ISA 8.5, 9.7.8, 9.7.9, 9.7.14: cvt.pack vabsdiff4 lop3", integer_kernels(), "8.2"
    ),
    "compare_packed_predicate": lambda: family_text("PTX ISA 8.5, 9.7.7: setp of pairs", packed_setp_kernels(), "8.1"),
}
