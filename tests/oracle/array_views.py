"""Cases of new arrays and of views, made by chance."""

import numpy as np

import numpy2
from array_maker import Maker, batches, share
from array_runner import Case
from numpy2 import NAMES


CREATION = ["np.zeros((n, m))", "np.ones(n, dtype=np.float32)", "np.zeros((n, 3, m), dtype=i2)", "np.ones((n, m), b1)",
            "np.full((n, 2), s)", "np.full((n, m), 7)", "np.full(n, 2.5)", "np.full((m, n), 3, dtype=np.uint8)", "np.zeros_like(x)",
            "np.ones_like(x)", "np.full_like(x, 2)", "np.zeros_like(x, dtype=f8)", "np.arange(n)", "np.arange(2, n)",
            "np.arange(n, 0, -1)", "np.arange(0.5, n, 0.25)", "np.arange(n, dtype=np.float32)", "np.arange(m, n, 2)",
            "np.arange(-n, m, 3)", "np.arange(5.0)", "np.linspace(0, 1, n)", "np.linspace(0.5, 3.5, n, endpoint=False)",
            "np.linspace(1, 2, 1)", "np.linspace(-2, 2, m, dtype=np.float32)", "np.eye(n)", "np.eye(n, m)", "np.eye(n, m, 1)",
            "np.eye(n, m, -2, dtype=i4)", "np.identity(n)", "np.identity(m, dtype=f4)", "np.tri(n)", "np.tri(n, m, -1)",
            "np.tri(n, m, 2, dtype=u1)", "np.tril(x)", "np.triu(x)", "np.tril(x, -1)", "np.triu(x, 2)", "np.triu(x, -1)",
            "np.meshgrid(np.arange(n), np.arange(m) * 0.5)", "np.meshgrid(np.arange(n), np.arange(m), indexing='ij')",
            "np.copy(x)", "x.copy()", "np.asarray(x)", "np.zeros(n) + x[0, 0]", "np.arange(n * m).reshape(n, m)"]


def creation_cases(chance, few):
    make = Maker(chance)
    cases = []
    for turn in range(3):
        for text in CREATION:
            if few and not make.likely(max(few, 0.2)):
                continue
            n, m = (np.int64(int(chance.integers(1, 9))) for _ in range(2))
            dtype = make.one_of(NAMES)
            args = [("n", n), ("m", m), ("s", make.values(make.one_of(NAMES), (1,))[0]),
                    ("x", make.array(dtype, make.shape(2, 0)))]
            cases.append(Case("creation", args, f"    return {text}"))
    return batches(cases)


# --- views


def factors(make, count):
    """A shape of so many elements, perhaps with a -1."""
    if count == 0:
        return (0, make.below(3) + 1)
    shape = []
    rest = count
    while rest > 1 and len(shape) < 3:
        divisors = [d for d in range(1, rest + 1) if rest % d == 0]
        shape.append(make.one_of(divisors))
        rest //= shape[-1]
    shape.append(rest)
    if make.likely(0.4):
        shape[make.below(len(shape))] = -1
    return tuple(shape)


def cut(make, extent):
    lower, upper = (make.one_of(["", "", str(make.below(extent + 3) - extent // 2)]) for _ in range(2))
    step = make.one_of(["", "", ":2", ":-1", ":-2", ":3"])
    return f"{lower}:{upper}{step}"


def subscript(make, shape):
    items = []
    hidden = make.below(len(shape) + 1) if make.likely(0.3) else None
    for k, extent in enumerate(shape):
        if hidden == k:
            items.append("...")
            break
        if make.likely(0.15):
            items.append("None")
        if extent > 0 and len(shape) > 1 and make.likely(0.25):
            items.append(str(make.below(2 * extent) - extent))
        elif make.likely(0.3):
            items.append(":")
        else:
            items.append(cut(make, extent))
    return f"[{', '.join(items)}]"


def view_texts(make, shape):
    """Expressions of {x}."""
    rank = len(shape)
    axis = make.below(2 * rank) - rank
    other = make.below(rank)
    order = tuple(int(k) for k in make.chance.permutation(rank))
    out = ["{x}.T", "{x}" + subscript(make, shape), "{x}" + subscript(make, shape), f"np.transpose({{x}}, {order})",
           f"np.moveaxis({{x}}, {axis}, {other})", f"np.swapaxes({{x}}, {axis}, {other})", "np.flip({x})",
           f"np.flip({{x}}, {axis})", f"np.roll({{x}}, {make.below(9) - 4}, {axis})", f"np.roll({{x}}, {make.below(9) - 4})",
           f"np.roll({{x}}, k, axis={axis})", f"np.roll({{x}}, (1, k), axis=({axis}, 0))", f"np.roll({{x}}, [k, 2])",
           f"np.roll({{x}}, 1, axis=(0, {axis}))", "np.zeros({x}.shape[::-1])", "np.ones({x}.shape[:1] + (2,))",
           "np.ascontiguousarray({x}.T)", f"np.expand_dims({{x}}, {axis})", "np.ravel({x})", "{x}.ravel()", "{x}.flatten()",
           f"np.reshape({{x}}, {factors(make, int(np.prod(shape)))})", f"{{x}}.reshape{factors(make, int(np.prod(shape)))}",
           f"np.repeat({{x}}, {make.below(3)}, axis={axis})", f"np.repeat({{x}}, 2)", f"np.tile({{x}}, {make.below(3)})",
           f"np.tile({{x}}, (2, {make.below(2) + 1}))", f"np.concatenate(({{x}}, {{x}}), axis={axis})",
           f"np.concat([{{x}}, {{x}}, {{x}}], axis={axis})", f"np.stack(({{x}}, {{x}}), axis={axis})", "{x}[k:]", "{x}[:k]",
           "{x}[-1 - k]" if rank > 1 and shape[0] > 3 else "{x}[::k]", "{x}[::-1]",
           f"np.broadcast_to({{x}}, {(make.below(3) + 1,) + tuple(shape)})", "np.concatenate(({x}, {x}), axis=None)"]
    if rank > 1:
        out += [f"np.diagonal({{x}}, {make.below(3) - 1})", "np.flipud({x})", "np.fliplr({x})", "np.matrix_transpose({x})",
                f"np.transpose({{x}})", "{x}.swapaxes(0, 1)", "np.permute_dims({x}, " + str(order) + ")"]
    if 1 in shape:
        out += [f"np.squeeze({{x}}, axis={shape.index(1)})"] * 3
    return out


def view_cases(chance, few):
    make = Maker(chance)
    cases = []
    while len(cases) < share(few, 400):
        dtype = make.one_of(NAMES)
        x = make.array(dtype, make.shape(make.rank()))
        k = np.int64(1 + make.below(3))
        text = "x"
        value = x.view(numpy2.Array)
        for _ in range(1 + make.below(3)):
            if value.ndim == 0 or value.ndim > 5 or value.size > 400:
                break
            step = make.one_of(view_texts(make, value.shape))
            longer = step.replace("{x}", text)
            try:
                value = eval(longer, numpy2.namespace(), {"x": x.view(numpy2.Array), "k": numpy2.array(k)})
            except (ValueError, IndexError):
                continue
            text = longer
        if text == "x" or value.ndim == 0:
            continue
        if make.likely(0.3) and dtype != "b1":
            text = make.one_of([f"{text} + 1", f"{text} * {text}", f"-({text})"])
        cases.append(Case("views", [("x", x), ("k", k)], f"    return {text}"))
    return batches(cases)


GENERATORS = {"creation": creation_cases, "views": view_cases}
