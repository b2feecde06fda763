"""Integer, bit, shift and logic instructions as PTX ISA 8.5 defines them, sections 9.7.1, 9.7.2, 9.7.8 and 9.7.9."""

import itertools

from kernel_text import Step, family_text, kernel

EDGES = {
    16: [0, 1, 2, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x1234],
    32: [0, 1, 2, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x00FF8001, 0xDEADBEEF],
    64: [0, 1, 3, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x00000001FFFFFFFF, 0xFEDCBA9876543210],
}
SHIFTS = [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 255, 256, 0xFFFFFFFF]


def width_of(type_name):
    return int(type_name[1:])


def value(bits, type_name):
    width = width_of(type_name)
    bits &= (1 << width) - 1
    return bits - (1 << width) if type_name[0] == "s" and bits >> (width - 1) else bits


def clamp(number, type_name):
    width = width_of(type_name)
    low = -(1 << (width - 1)) if type_name[0] == "s" else 0
    high = (1 << (width - (type_name[0] == "s"))) - 1
    return min(max(number, low), high)


def on(type_name, function):
    """The function on the values of operands of that type."""
    return lambda *operands: function(*(value(one, type_name) for one in operands))


def pairs(width):
    return itertools.product(EDGES[width], repeat=2)


def triples(width):
    edges = EDGES[width]
    return itertools.product(edges[:2] + edges[3:5] + edges[-2:], edges[1:5] + edges[-1:], [0, edges[-1], edges[3]])


def quotient(a, b):
    magnitude = abs(a) // abs(b)
    return -magnitude if (a < 0) != (b < 0) else magnitude


def divisible(rows, type_name):
    """Division by zero, and of the least number by -1, have no value in PTX."""
    least = -(1 << (width_of(type_name) - 1))
    for a, b in rows:
        x, y = value(a, type_name), value(b, type_name)
        if y != 0 and not (x == least and y == -1):
            yield a, b


def arithmetic(type_name):
    t, width = type_name, width_of(type_name)
    steps = [
        Step(f"add.{t} {{d}}, {{a}}, {{b}};", f"b{width}", lambda a, b: a + b),
        Step(f"sub.{t} {{d}}, {{a}}, {{b}};", f"b{width}", lambda a, b: a - b),
        Step(f"mul.lo.{t} {{d}}, {{a}}, {{b}};", f"b{width}", lambda a, b: a * b),
        Step(f"mul.hi.{t} {{d}}, {{a}}, {{b}};", f"b{width}", on(t, lambda a, b: (a * b) >> width)),
        Step(f"min.{t} {{d}}, {{a}}, {{b}};", f"b{width}", on(t, min)),
        Step(f"max.{t} {{d}}, {{a}}, {{b}};", f"b{width}", on(t, max)),
    ]
    if width < 64:
        steps.append(Step(f"mul.wide.{t} {{d}}, {{a}}, {{b}};", f"b{2 * width}", on(t, lambda a, b: a * b)))
    if t == "s32":
        for name, function in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b)):
            steps.append(
                Step(
                    f"{name}.sat.s32 {{d}}, {{a}}, {{b}};", "b32", on(t, lambda a, b, f=function: clamp(f(a, b), "s32"))
                )
            )
        steps += [
            Step("min.relu.s32 {d}, {a}, {b};", "b32", on(t, lambda a, b: max(min(a, b), 0))),
            Step("max.relu.s32 {d}, {a}, {b};", "b32", on(t, lambda a, b: max(a, b, 0))),
        ]
    kernels = [kernel(f"arithmetic_{t}", f"b{width} b{width}", steps, pairs(width))]
    division = [
        Step(f"div.{t} {{d}}, {{a}}, {{b}};", f"b{width}", on(t, quotient)),
        Step(f"rem.{t} {{d}}, {{a}}, {{b}};", f"b{width}", on(t, lambda a, b: a - b * quotient(a, b))),
    ]
    kernels.append(kernel(f"division_{t}", f"b{width} b{width}", division, divisible(pairs(width), t)))
    if t[0] == "s":
        unary = [
            Step(f"abs.{t} {{d}}, {{a}};", f"b{width}", on(t, abs)),
            Step(f"neg.{t} {{d}}, {{a}};", f"b{width}", on(t, lambda a: -a)),
        ]
        least = 1 << (width - 1)
        kernels.append(kernel(f"unary_{t}", f"b{width}", unary, [(a,) for a in EDGES[width] if a != least]))
    return kernels


def multiply_add(type_name):
    t, width = type_name, width_of(type_name)
    steps = [
        Step(f"mad.lo.{t} {{d}}, {{a}}, {{b}}, {{c}};", f"b{width}", lambda a, b, c: a * b + c),
        Step(f"mad.hi.{t} {{d}}, {{a}}, {{b}}, {{c}};", f"b{width}", on(t, lambda a, b, c: ((a * b) >> width) + c)),
        Step(f"sad.{t} {{d}}, {{a}}, {{b}}, {{c}};", f"b{width}", on(t, lambda a, b, c: c + abs(a - b))),
    ]
    if width < 64:
        wide = t[0] + str(2 * width)
        steps.append(
            Step(
                f"{{{{ .reg .b{2 * width} w; cvt.{wide}.{t} w, {{c}}; mad.wide.{t} {{d}}, {{a}}, {{b}}, w; }}}}",
                f"b{2 * width}",
                on(t, lambda a, b, c: a * b + c),
            )
        )
    if t == "s32":
        steps.append(
            Step("mad.hi.sat.s32 {d}, {a}, {b}, {c};", "b32", on(t, lambda a, b, c: clamp(((a * b) >> 32) + c, "s32")))
        )
    kernels = [kernel(f"multiply_add_{t}", f"b{width} b{width} b{width}", steps, triples(width))]
    if width == 32:

        def of_24(function):
            low = lambda x: (x & 0xFFFFFF) - (1 << 24) if t == "s32" and x >> 23 & 1 else x & 0xFFFFFF
            return lambda a, b, c: function(low(a) * low(b), value(c, t))

        narrow = [
            Step(f"mul24.lo.{t} {{d}}, {{a}}, {{b}};", "b32", of_24(lambda p, c: p)),
            Step(f"mul24.hi.{t} {{d}}, {{a}}, {{b}};", "b32", of_24(lambda p, c: p >> 16)),
            Step(f"mad24.lo.{t} {{d}}, {{a}}, {{b}}, {{c}};", "b32", of_24(lambda p, c: p + c)),
            Step(f"mad24.hi.{t} {{d}}, {{a}}, {{b}}, {{c}};", "b32", of_24(lambda p, c: (p >> 16) + c)),
        ]
        if t == "s32":
            narrow.append(
                Step("mad24.hi.sat.s32 {d}, {a}, {b}, {c};", "b32", of_24(lambda p, c: clamp((p >> 16) + c, t)))
            )
        kernels.append(kernel(f"multiply_24_{t}", "b32 b32 b32", narrow, triples(32)))
    return kernels


def chains(width):
    """Numbers of two words: the condition code goes from the lower to the upper half."""
    w, mask = width, (1 << width) - 1

    def add(a, b, c, e):
        total = (a | b << w) + (c | e << w)
        return total & mask, total >> w & mask, total >> (2 * w)

    def sub(a, b, c, e):
        total = (a | b << w) - (c | e << w)
        return total & mask, total >> w & mask, -(total < 0)

    def mad(a, b, c, e):
        total = a * b + (c | e << w)
        return total & mask, total >> w & mask, total >> (2 * w)

    steps, rows = [], []
    for t in (f"u{w}", f"s{w}"):
        zero = f"{{{{ .reg .b{w} z; mov.b{w} z, 0; "
        steps += [
            Step(
                f"add.cc.{t} {{d}}, {{a}}, {{c}}; addc.cc.{t} {{d1}}, {{b}}, {{e}}; addc.{t} {{d2}}, 0, 0;",
                f"b{w} b{w} b{w}",
                add,
            ),
            Step(
                f"sub.cc.{t} {{d}}, {{a}}, {{c}}; subc.cc.{t} {{d1}}, {{b}}, {{e}}; subc.{t} {{d2}}, 0, 0;",
                f"b{w} b{w} b{w}",
                sub,
            ),
        ]
    u = f"u{w}"
    steps.append(
        Step(
            f"mad.lo.cc.{u} {{d}}, {{a}}, {{b}}, {{c}}; madc.hi.cc.{u} {{d1}}, {{a}}, {{b}}, {{e}}; "
            f"addc.{u} {{d2}}, 0, 0;",
            f"b{w} b{w} b{w}",
            mad,
        )
    )
    steps.append(
        Step(
            f"mad.lo.cc.{u} {{d}}, {{a}}, {{b}}, {{c}}; madc.lo.{u} {{d1}}, {{a}}, {{b}}, {{e}};",
            f"b{w} b{w}",
            lambda a, b, c, e: (a * b + c, a * b + e + (((a * b & mask) + c) >> w)),
        )
    )
    s = f"s{w}"
    steps.append(
        Step(
            f"mad.hi.cc.{s} {{d}}, {{a}}, {{b}}, {{c}}; madc.lo.cc.{s} {{d1}}, {{a}}, {{b}}, {{e}}; "
            f"madc.hi.{s} {{d2}}, {{a}}, {{b}}, {{e}};",
            f"b{w} b{w} b{w}",
            lambda a, b, c, e: signed_chain(a, b, c, e, w),
        )
    )
    edges = EDGES[w]
    return kernel(
        f"chain_{w}",
        f"b{w} b{w} b{w} b{w}",
        steps,
        itertools.product(
            edges[:2] + edges[-2:], [0, edges[5], edges[-1]], edges[1:2] + edges[5:7], [0, edges[6], edges[4]]
        ),
    )


def signed_chain(a, b, c, e, w):
    mask = (1 << w) - 1
    product = value(a, f"s{w}") * value(b, f"s{w}")
    low, high = product & mask, product >> w & mask
    first = high + c
    second = low + e + (first >> w)
    third = high + e + (second >> w)
    return first, second, third


def bits(width):
    w = width
    msb = w - 1

    def bfind(a):
        return a.bit_length() - 1

    def bfind_signed(a):
        return (~a if a < 0 else a).bit_length() - 1

    steps = [
        Step(f"popc.b{w} {{d}}, {{a}};", "b32", lambda a: bin(a).count("1")),
        Step(f"clz.b{w} {{d}}, {{a}};", "b32", lambda a: w - a.bit_length()),
        Step(f"brev.b{w} {{d}}, {{a}};", f"b{w}", lambda a: int(format(a, f"0{w}b")[::-1], 2)),
        Step(f"cnot.b{w} {{d}}, {{a}};", f"b{w}", lambda a: int(a == 0)),
        Step(f"not.b{w} {{d}}, {{a}};", f"b{w}", lambda a: ~a),
    ]
    for t, find in ((f"u{w}", bfind), (f"s{w}", bfind_signed)):
        steps += [
            Step(f"bfind.{t} {{d}}, {{a}};", "b32", on(t, find)),
            Step(f"bfind.shiftamt.{t} {{d}}, {{a}};", "b32", on(t, lambda a, f=find: -1 if f(a) < 0 else msb - f(a))),
        ]
    return kernel(f"bits_{w}", f"b{w}", steps, [(a,) for a in EDGES[w]] + [(1 << i,) for i in range(0, w, 7)])


def fields(width):
    w = width
    msb = w - 1

    def bfe(type_name):
        def extract(a, b, c, e):
            pos, length = b & 0xFF, c & 0xFF
            sign = 0 if type_name[0] == "u" or length == 0 else a >> min(pos + length - 1, msb) & 1
            return sum((a >> (pos + i) & 1 if i < length and pos + i <= msb else sign) << i for i in range(w))

        return extract

    def bfi(a, b, c, e):
        for i in range(min(c & 0xFF, w)):
            if (b & 0xFF) + i <= msb:
                place = (b & 0xFF) + i
                e = e & ~(1 << place) | (a >> i & 1) << place
        return e

    steps = [
        Step(f"bfe.u{w} {{d}}, {{a}}, {{b}}, {{c}};", f"b{w}", bfe(f"u{w}")),
        Step(f"bfe.s{w} {{d}}, {{a}}, {{b}}, {{c}};", f"b{w}", bfe(f"s{w}")),
        Step(f"bfi.b{w} {{d}}, {{a}}, {{e}}, {{b}}, {{c}};", f"b{w}", bfi),
    ]
    places = [0, 1, 7, msb, w, 255, 256, 0xFFFFFF04]
    rows = itertools.product([EDGES[w][-1], EDGES[w][4]], places, [0, 1, 8, msb, w, 255, 0x108], [EDGES[w][3]])
    return kernel(f"fields_{w}", f"b{w} b32 b32 b{w}", steps, rows)


FULL = 0xFFFFFFFF


def szext(mode, type_name):
    def extend(a, b):
        b1 = b & 31
        too_large = b >= 32 and mode == "clamp"
        mask = 0 if too_large else FULL << b1 & FULL
        sign = not (b1 == 0 or too_large or type_name != "s32") and a >> ((b1 - 1) & 31) & 1
        return a & ~mask | (mask if sign else 0)

    return extend


def bmsk(mode):
    def mask_of(a, b):
        a1, b1 = a & 31, b & 31
        mask0, mask1 = FULL << a1 & FULL, FULL << (a1 + b1) & FULL
        overflows = a1 + b1 >= 32
        if mode == "clamp" and a >= 32:
            overflows, mask0 = True, 0
        overflows |= mode == "clamp" and b >= 32
        mask1 = 0 if overflows else FULL if b1 == 0 else mask1
        return mask0 & ~mask1

    return mask_of


def fns(mask, base, offset):
    offset = value(offset, "s32")
    if offset == 0:
        return base if base < 32 and mask >> base & 1 else -1
    position, count = base, abs(offset) - 1
    while 0 <= position < 32:
        if mask >> position & 1:
            if count == 0:
                return position
            count -= 1
        position += 1 if offset > 0 else -1
    return -1


def extend_kernels():
    steps = [
        Step(f"szext.{mode}.{t} {{d}}, {{a}}, {{b}};", "b32", szext(mode, t))
        for mode in ("clamp", "wrap")
        for t in ("u32", "s32")
    ]
    steps += [Step(f"bmsk.{mode}.b32 {{d}}, {{a}}, {{b}};", "b32", bmsk(mode)) for mode in ("clamp", "wrap")]
    edges = [0, 1, 5, 16, 31, 32, 33, 255, 0xFFFFFFFF, 0xDEADBEEF, 0x80]
    find = [Step("fns.b32 {d}, {a}, {b}, {c};", "b32", fns)]
    return [
        kernel("extend_and_mask", "b32 b32", steps, itertools.product(edges, edges)),
        kernel(
            "find_nth_set",
            "b32 b32 b32",
            find,
            itertools.product([0, 1, 0x80000001, 0xDEADBEEF], [0, 7, 31], [0, 1, 2, 5, 24, -1 & FULL, -3 & FULL]),
        ),
    ]


def lanes_of(bits_, width, signed):
    return [value(bits_ >> i, ("s" if signed else "u") + str(width)) for i in range(0, 32, width)]


def dot_kernels():
    steps = []
    for t in ("u32", "s32"):
        for u in ("u32", "s32"):

            def dp4a(a, b, c, t=t, u=u):
                return c + sum(x * y for x, y in zip(lanes_of(a, 8, t == "s32"), lanes_of(b, 8, u == "s32")))

            steps.append(Step(f"dp4a.{t}.{u} {{d}}, {{a}}, {{b}}, {{c}};", "b32", dp4a))
            for half, first in (("lo", 0), ("hi", 2)):

                def dp2a(a, b, c, t=t, u=u, first=first):
                    pairs_ = zip(lanes_of(a, 16, t == "s32"), lanes_of(b, 8, u == "s32")[first:])
                    return c + sum(x * y for x, y in pairs_)

                steps.append(Step(f"dp2a.{half}.{t}.{u} {{d}}, {{a}}, {{b}}, {{c}};", "b32", dp2a))
    edges = [0x01020304, 0xFFFFFFFF, 0x80808080, 0x7F80FF01]
    return [kernel("dot_products", "b32 b32 b32", steps, itertools.product(edges, edges, [0, 0xFFFFFFFF, 0x7FFFFFFF]))]


def shift_kernels():
    kernels = []
    for w in (16, 32, 64):
        steps = [Step(f"shl.b{w} {{d}}, {{a}}, {{b}};", f"b{w}", lambda a, b, w=w: a << min(b, w))]
        steps += [
            Step(
                f"shr.{t} {{d}}, {{a}}, {{b}};",
                f"b{w}",
                lambda a, b, t=t, w=w: value(a, t.replace("b", "u")) >> min(b, w),
            )
            for t in (f"b{w}", f"u{w}", f"s{w}")
        ]
        kernels.append(kernel(f"shift_{w}", f"b{w} b32", steps, itertools.product(EDGES[w][1:], SHIFTS)))

    def funnel(direction, mode):
        def shift(a, b, c):
            n = min(c, 32) if mode == "clamp" else c & 31
            return (b << n) | (a >> (32 - n)) if direction == "l" else (b << (32 - n)) | (a >> n)

        return shift

    steps = [
        Step(f"shf.{d}.{mode}.b32 {{d}}, {{a}}, {{b}}, {{c}};".replace("shf.{d}", f"shf.{d}"), "b32", funnel(d, mode))
        for d in "lr"
        for mode in ("clamp", "wrap")
    ]
    kernels.append(
        kernel(
            "funnel_shift", "b32 b32 b32", steps, itertools.product([1, 0xDEADBEEF], [0x80000000, 0x12345678], SHIFTS)
        )
    )
    return kernels


def logic_kernels():
    kernels = []
    for w in (16, 32, 64):
        steps = [
            Step(f"and.b{w} {{d}}, {{a}}, {{b}};", f"b{w}", lambda a, b: a & b),
            Step(f"or.b{w} {{d}}, {{a}}, {{b}};", f"b{w}", lambda a, b: a | b),
            Step(f"xor.b{w} {{d}}, {{a}}, {{b}};", f"b{w}", lambda a, b: a ^ b),
            Step(f"cnot.b{w} {{d}}, {{a}};", f"b{w}", lambda a, b: int(a == 0)),
            Step(f"not.b{w} {{d}}, {{a}};", f"b{w}", lambda a, b: ~a),
        ]
        kernels.append(kernel(f"logic_{w}", f"b{w} b{w}", steps, pairs(w)))
    steps = [
        Step("and.pred {d}, {a}, {b};", "pred", lambda a, b: a & b),
        Step("or.pred {d}, {a}, {b};", "pred", lambda a, b: a | b),
        Step("xor.pred {d}, {a}, {b};", "pred", lambda a, b: a ^ b),
        Step("and.pred {d}, {a}, !{b};", "pred", lambda a, b: a & (1 - b)),
        Step("not.pred {d}, {a};", "pred", lambda a, b: 1 - a),
    ]
    kernels.append(kernel("logic_pred", "pred pred", steps, itertools.product([0, 1], repeat=2)))

    def lop3(table):
        def look_up(a, b, c):
            return sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i for i in range(32))

        return look_up

    steps = [
        Step(f"lop3.b32 {{d}}, {{a}}, {{b}}, {{c}}, {table:#x};", "b32", lop3(table))
        for table in (0, 0x01, 0x96, 0xE8, 0xCA, 0x80, 0xFE, 0x1A, 0xF0, 0xCC, 0xAA, 0xFF)
    ]
    kernels.append(
        kernel(
            "lop3",
            "b32 b32 b32",
            steps,
            [
                (0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA),
                (0, FULL, 0xDEADBEEF),
                (0x12345678, 0x9ABCDEF0, 0x0F0F0F0F),
                (FULL, FULL, FULL),
            ],
        )
    )
    return kernels


def prmt(mode):
    def permute(a, b, c):
        source = [a >> i & 255 for i in range(0, 32, 8)] + [b >> i & 255 for i in range(0, 32, 8)]
        s = c & 3
        chosen = {
            "f4e": [s, s + 1, s + 2, s + 3],
            "b4e": [s, (s - 1) & 7, (s - 2) & 7, (s - 3) & 7],
            "rc8": [s] * 4,
            "ecl": [max(s, i) for i in range(4)],
            "ecr": [min(s, i) for i in range(4)],
            "rc16": [2 * (s & 1), 2 * (s & 1) + 1] * 2,
        }
        if mode:
            return sum(source[index] << (8 * i) for i, index in enumerate(chosen[mode]))
        total = 0
        for i in range(4):
            selector = c >> (4 * i) & 15
            byte = source[selector & 7]
            total |= ((255 if byte >> 7 else 0) if selector & 8 else byte) << (8 * i)
        return total

    return permute


def prmt_kernels():
    steps = [
        Step(f"prmt.b32{'.' + mode if mode else ''} {{d}}, {{a}}, {{b}}, {{c}};", "b32", prmt(mode))
        for mode in ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
    ]
    selectors = [0x3210, 0x7654, 0x5410, 0x0123, 0xBA98, 0xFEDC, 0x0008, 0xFFFF3210, 1, 2, 3]
    return [kernel("prmt", "b32 b32 b32", steps, itertools.product([0x80FF7F01, 0x12345678], [0x9ABCDEF0], selectors))]


def packed_kernels():
    steps = []
    for t in ("u16x2", "s16x2"):
        for name, function in (("add", lambda a, b: a + b), ("min", min), ("max", max)):

            def halves(a, b, t=t, function=function):
                low, high = (on(t[:3], function)(a >> i & 0xFFFF, b >> i & 0xFFFF) & 0xFFFF for i in (0, 16))
                return low | high << 16

            steps.append(Step(f"{name}.{t} {{d}}, {{a}}, {{b}};", "b32", halves))
            if t == "s16x2" and name != "add":

                def relu(a, b, function=function):
                    low, high = (max(on("s16", function)(a >> i & 0xFFFF, b >> i & 0xFFFF), 0) for i in (0, 16))
                    return low | high << 16

                steps.append(Step(f"{name}.relu.{t} {{d}}, {{a}}, {{b}};", "b32", relu))
    edges = [0, 0x0001FFFF, 0x7FFF8000, 0x80007FFF, 0xFFFF0001, 0xFFFFFFFF]
    return [kernel("packed_integers", "b32 b32", steps, itertools.product(edges, edges))]


TYPES = ("u16", "u32", "u64", "s16", "s32", "s64")

FAMILIES = {
    "integer_arithmetic": lambda: family_text(
        "PTX ISA 8.5, 9.7.1: add sub mul div rem abs neg min max", sum((arithmetic(t) for t in TYPES), [])
    ),
    "integer_multiply_add": lambda: family_text(
        "PTX ISA 8.5, 9.7.1: mad sad mul24 mad24", sum((multiply_add(t) for t in TYPES), []), "6.3", "sm_75"
    ),
    "integer_packed": lambda: family_text("PTX ISA 8.5, 9.7.1: packed halves", packed_kernels()),
    "carry_chains": lambda: family_text(
        "PTX ISA 8.5, 9.7.2: extended precision", [chains(32), chains(64)], "6.3", "sm_75"
    ),
    "bit_counts": lambda: family_text("PTX ISA 8.5, 9.7.1: popc clz bfind brev", [bits(32), bits(64)], "6.3", "sm_75"),
    "bit_fields": lambda: family_text(
        "PTX ISA 8.5, 9.7.1: bfe bfi szext bmsk fns", [fields(32), fields(64)] + extend_kernels(), "7.6", "sm_75"
    ),
    "dot_products": lambda: family_text("PTX ISA 8.5, 9.7.1: dp4a dp2a", dot_kernels(), "6.3", "sm_75"),
    "shifts": lambda: family_text("PTX ISA 8.5, 9.7.8: shl shr shf", shift_kernels(), "6.3", "sm_75"),
    "logic": lambda: family_text("PTX ISA 8.5, 9.7.8: and or xor not cnot lop3", logic_kernels(), "6.3", "sm_75"),
    "permutation": lambda: family_text("PTX ISA 8.5, 9.7.9: prmt", prmt_kernels(), "6.3", "sm_75"),
}
