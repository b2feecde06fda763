"""Cases of operations of whole arrays, made by chance: new arrays, views, reductions, products, statements, calls."""

import math

import numpy as np

import numpy2
from array_runner import Case, Check
from numpy2 import COMPLEX, FLOATS, INTS, NAMES

BATCH = 8  # cases of one text


class Maker:
    """Choices, and arrays of any strides whose sums are exact: few bits each."""

    def __init__(self, chance):
        self.chance = chance

    def one_of(self, items):
        return items[int(self.chance.integers(len(items)))]

    def below(self, n):
        return int(self.chance.integers(n))

    def likely(self, p):
        return self.chance.random() < p

    def rank(self):
        return 4 if self.likely(0.02) else 1 + self.below(3)

    def shape(self, rank, empty=0.04):
        return tuple(0 if self.likely(empty) else int(self.chance.integers(1, 6)) for _ in range(rank))

    def values(self, dtype, shape, small=True):
        """small: eighths, and ints that do not overflow when a few are multiplied."""
        if dtype == "b1":
            return self.chance.random(shape) < 0.5
        if dtype[0] in "iu":
            low = 0 if dtype[0] == "u" else -4
            return self.chance.integers(low, 5, shape).astype(dtype)
        parts = [self.chance.integers(-8, 9, shape) / 4 if small else self.chance.normal(0, 2, shape) for _ in range(2)]
        return (parts[0] + 1j * parts[1] if dtype[0] == "c" else parts[0]).astype(dtype)

    def array(self, dtype, shape, small=True):
        return self.laid_out(self.values(dtype, shape, small))

    def laid_out(self, values):
        """The values as a view: other orders of axes, steps, negative steps, places."""
        if values.ndim == 0 or self.likely(0.4):
            return np.ascontiguousarray(values)
        order = self.chance.permutation(values.ndim)
        steps = [self.one_of([1, 1, 2, -1, -2]) for _ in range(values.ndim)]
        padded = [max(1, values.shape[k] * abs(steps[k])) for k in order]
        base = np.zeros(int(np.prod(padded)) + 1, values.dtype)[self.below(2):][:int(np.prod(padded))]
        view = base.reshape(padded).transpose(np.argsort(order))
        view = view[tuple(slice(None, None, s) for s in steps)][tuple(slice(0, n) for n in values.shape)]
        view[...] = values
        return view


def batches(cases):
    cases = list(cases)
    return [cases[k:k + BATCH] for k in range(0, len(cases), BATCH)]


def share(few, count):
    return max(4, int(count * few)) if few else count


# --- new arrays


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
           f"np.roll({{x}}, k, axis={axis})", f"np.expand_dims({{x}}, {axis})", "np.ravel({x})", "{x}.ravel()", "{x}.flatten()",
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


# --- reductions


def axis_text(make, rank, several=True):
    pick = make.below(4)
    if pick == 0:
        return None
    if pick == 1 and several and rank > 1:
        return tuple(int(k) for k in make.chance.choice(rank, 2, replace=False))
    return make.below(2 * rank) - rank


def options_text(make, name, rank, dtype):
    options = []
    axis = axis_text(make, rank, "arg" not in name)
    if axis is not None:
        options.append(f"axis={axis}")
    if make.likely(0.3) and name not in ("average",):
        options.append("keepdims=True")
    if name in ("sum", "prod", "mean", "var", "std") and make.likely(0.2):
        options.append(f"dtype={make.one_of(['f4', 'f8'])}" if dtype[0] != "c" else "dtype=c16")
    if name in ("sum", "prod") and make.likely(0.2):
        options.append(f"initial={make.below(4)}")
    if name in ("var", "std", "nanvar", "nanstd") and make.likely(0.2):
        options.append("ddof=1")
    if name in ("sum", "prod", "any", "all") and make.likely(0.25):
        options.append("where=w")
    if name in ("min", "max") and dtype[0] not in "c":
        pick = make.below(5)
        if pick == 0:
            options.append("initial=1")
        if pick == 1:
            options.append("initial=1, where=w")
    return ", ".join([""] + options)


EXACT_FOLDS = ["sum", "prod", "mean", "var", "std", "min", "max", "any", "all", "argmin", "argmax", "count_nonzero", "ptp"]
NAN_FOLDS = ["nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax", "nanargmin", "nanargmax"]
METHODS = ["sum", "prod", "mean", "var", "std", "min", "max", "any", "all", "argmin", "argmax"]


def fold_case(make):
    dtype = make.one_of(NAMES)
    rank = make.rank()
    name = make.one_of(EXACT_FOLDS)
    ordered = name in ("min", "max", "argmin", "argmax", "ptp")
    if dtype[0] == "c" and ordered or dtype == "b1" and name in ("ptp", "prod"):
        return None
    x = make.array(dtype, make.shape(rank, 0 if ordered else 0.05), small=make.likely(0.5))
    if dtype[0] == "f" and ordered and make.likely(0.3):
        x[make.chance.random(x.shape) < 0.2] = make.one_of([np.nan, np.inf, -0.0])
    text = options_text(make, name, rank, dtype)
    call = f"np.{name}(x{text})"
    if make.likely(0.2) and name in METHODS:
        call = f"x.{name}({text[2:]})"
    args = [("x", x)]
    if "=w" in text:
        args.append(("w", make.array("b1", x.shape)))
    return Case("reductions", args, f"    return {call}")


def nan_case(make):
    name = make.one_of(NAN_FOLDS)
    dtype = make.one_of(FLOATS + FLOATS + ["i4", "u1"])
    x = make.array(dtype, make.shape(1 + make.below(3), 0), small="prod" in name or make.likely(0.5))
    if dtype in FLOATS:
        x[make.chance.random(x.shape) < 0.2] = np.nan
        if "arg" in name or name in ("nanmin", "nanmax"):
            x[...] = np.where(np.isnan(x).all(axis=None), 1, x)  # NumPy raises an error for slices of NaN alone
            x[np.isnan(x)] = 1 if x.ndim > 1 else np.nan
            if np.isnan(x).all():
                x[...] = 0
    text = options_text(make, name, x.ndim, dtype)
    return Case("nan-forms", [("x", x)], f"    return np.{name}(x{text})", tolerance=nan_limit)


def nan_limit(case, wants):
    """Sums: 2 n eps of the sum of magnitudes; variances: of the mean of squares."""
    x = case.args[0][1]
    if wants[0].dtype.kind != "f":
        return [Check(w) for w in wants]
    eps = np.finfo(wants[0].dtype).eps
    wide = x.astype("g")
    text = case.body.split("return ")[1]
    scope = {"np": np, "x": wide, "f4": "f4", "f8": "f8"}
    exact = np.asarray(eval(text, scope))
    if exact.dtype.kind != "f":
        return [Check(w) for w in wants]
    finite = np.nan_to_num(np.abs(wide), posinf=0, neginf=0)
    scale = np.nansum(finite, axis=None) if "prod" not in text else np.abs(exact)
    if "var" in text or "std" in text:
        scale = np.nansum(finite * finite, axis=None) + scale
        scale = np.maximum(scale, np.abs(np.nan_to_num(exact)))
    return [Check(exact.astype(wants[0].dtype), 2 * max(x.size, 4) * eps * scale, exact)]


def reduction_cases(chance, few):
    make = Maker(chance)
    cases = []
    while len(cases) < share(few, 400):
        case = fold_case(make)
        if case is not None:
            cases.append(case)
    return batches(cases)


def nan_cases(chance, few):
    make = Maker(chance)
    return batches(nan_case(make) for _ in range(share(few, 120)))


def sum_limit(case, wants):
    """Not further from the exact sum than 2 n eps sum(|x|), nor than twice NumPy's pairwise sum and 4 ulp."""
    x = np.asarray(case.args[0][1])
    lines = x.reshape(-1, x.shape[-1]) if "axis=-1" in case.body else x.reshape(1, -1)
    if "axis=0" in case.body:
        lines = np.ascontiguousarray(x.T)
    exact = np.array([math.fsum(float(v) for v in line) for line in lines])
    theirs = np.array([float(np.sum(np.ascontiguousarray(line))) for line in lines])
    eps = float(np.finfo(x.dtype).eps)
    magnitude = np.array([math.fsum(abs(float(v)) for v in line) for line in lines])
    proven = 2 * lines.shape[1] * eps * magnitude
    rounded = exact.astype(x.dtype)
    beside = 2 * np.abs(theirs - exact) + 4 * np.spacing(np.abs(rounded)).astype("f8")
    # NumPy may be exact by luck where others are not: what is left of its own bound, log2(n) / 2 roundings of the sum.
    typical = eps * np.maximum(1, np.log2(lines.shape[1]) / 2) * np.sqrt(np.sum(lines.astype("f8") ** 2, axis=1))
    shape = wants[0].shape
    return [Check(rounded.reshape(shape), np.minimum(proven, np.maximum(beside, typical)).reshape(shape), exact.reshape(shape))]


def sum_cases(chance, few):
    """Of many elements. f2 is summed in f4."""
    make = Maker(chance)
    cases = []
    for dtype in ["f4", "f8", "f2"]:
        for n in [1, 2, 15, 16, 17, 255, 1000, 4095, 4096, 4097, 20000]:
            if few and n > 5000:
                continue
            for body in ["np.sum(x)", "np.sum(x, axis=-1)", "np.sum(x, axis=0)"]:
                shape = {"np.sum(x)": (n,), "np.sum(x, axis=-1)": (3, n), "np.sum(x, axis=0)": (n, 3)}[body]
                x = make.laid_out(make.one_of([chance.normal(0, 1, shape), chance.random(shape)]).astype(dtype))
                cases.append(Case("sums", [("x", x)], f"    return {body}", tolerance=sum_limit))
                cases.append(Case("trees", [("x", x)], f"    return {body}"))
    return batches(cases)


def other_fold_cases(chance, few):
    """logsumexp, norm, average, against f8: 2 n eps of the sum, and the bounds of exp and log."""
    make = Maker(chance)
    cases = []
    for _ in range(share(few, 120)):
        dtype = make.one_of(["f4", "f8", "i4", "f2"])
        x = make.array(dtype, make.shape(2, 0), small=False)
        w = abs(make.array(dtype, x.shape)) + 1
        name = make.one_of(["logsumexp", "norm", "norm1", "norminf", "average", "trace"])
        axis = make.one_of([None, 0, 1])
        comma = "" if axis is None else f", axis={axis}"
        y = x.astype("f8")
        if name == "logsumexp":
            text, want = f"logsumexp(x{comma})", np.log(np.sum(np.exp(y), axis=axis))
        elif name == "norm":
            text, want = f"np.norm(x{comma})", np.sqrt(np.sum(y * y, axis=axis))
        elif name == "norm1" and axis is not None:
            text, want = f"np.norm(x, 1{comma})", np.sum(np.abs(y), axis=axis)
        elif name == "norminf" and axis is not None:
            text, want = f"np.norm(x, np.inf{comma})", np.max(np.abs(y), axis=axis)
        elif name == "trace":
            text, want = "np.trace(x)", np.trace(y)
        else:
            text, want = f"np.average(x{comma}, weights=w)", np.average(y, axis=axis, weights=w.astype("f8"))
        result = np.dtype(dtype) if dtype[0] == "f" else np.dtype("i8" if name == "trace" else "f8")
        want = np.asarray(want)
        limit = 32 * np.finfo(result).eps * (np.max(np.abs(y)) + np.abs(want) + 1) if result.kind == "f" else None
        args = [("x", x)] + ([("w", w)] if "weights" in text else [])
        cases.append(Case("other-folds", args, f"    return {text.replace('logsumexp', 'np.logsumexp')}",
                          checks=[Check(want.astype(result), limit, want)]))
    return batches(cases)


# --- products


def product_cases(chance, few):
    """Calls of some shapes for each function: contractions are the largest kernels there are."""
    make = Maker(chance)
    units = []
    for _ in range(share(few, 20)):
        p, q = (make.one_of(INTS + FLOATS + FLOATS + COMPLEX) for _ in range(2))
        form = make.one_of(["mk kn", "k kn", "mk k", "bmk kn", "bmk bkn", "mk bkn", "omk bkn", "k k"])
        texts = ["a @ b", "np.matmul(a, b)"]
        if "b" not in form:
            texts += ["np.dot(a, b)", "a.dot(b)"]
        text = make.one_of(texts)
        unit = []
        for _ in range(8):
            small = make.likely(0.7)
            extents = {c: int(chance.integers(0 if make.likely(0.05) else 1, 7)) for c in "mnkb"}
            extents["o"] = 1
            a, b = (make.array(t, tuple(extents[c] for c in part), small) for t, part in zip((p, q), form.split()))
            unit.append(Case("products", [("a", a), ("b", b)], f"    return {text}", tolerance=product_limit))
        units.append(unit)
    return units + batches(other_product(make) for _ in range(share(few, 80)))


def product_limit(case, wants):
    """What is exact to the last bit, but for signs of zeros; else 2 k eps of the sum of the products' magnitudes."""
    a, b = (np.asarray(v) for _, v in case.args[:2])
    if wants[0].dtype.kind not in "fc":
        return [Check(w) for w in wants]
    exact = np.matmul(a.astype("c16"), b.astype("c16"))
    wide = exact if wants[0].dtype.kind == "c" else exact.real
    scale = np.matmul(np.abs(a.astype("c16")), np.abs(b.astype("c16")))
    eps = np.finfo(wants[0].dtype).eps
    limit = 0 if is_short(a) and is_short(b) else (2 * max(a.shape[-1], 1) + 1) * eps
    return [Check(wide.astype(wants[0].dtype), limit * scale, wide)]


def is_short(values):
    """Quarters below 16: their sums of products are exact in every type but f2, and in f2 as few of them."""
    values = values.astype("c16") * 4
    return all(np.all((part == np.round(part)) & (np.abs(part) <= 64)) for part in (values.real, values.imag))


def other_product(make):
    p = make.one_of(INTS + FLOATS + COMPLEX)
    q = p if make.likely(0.5) else make.one_of(INTS + FLOATS)
    m, n, k = (1 + make.below(5) for _ in range(3))
    pick = make.below(6)
    if pick == 0:
        a, b, text = make.array(p, (m,)), make.array(q, (n,)), "np.outer(a, b)"
    elif pick == 1:
        a, b, text = make.array(p, (m, k)), make.array(q, (m, k)), "np.vecdot(a, b)"
    elif pick == 2:
        a, b, text = make.array(p, (m, n, k)), make.array(q, (n, k, 2)), "np.tensordot(a, b)"
    elif pick == 3:
        a, b, text = make.array(p, (m, n, k)), make.array(q, (k, m)), "np.tensordot(a, b, axes=((0, 2), (1, 0)))"
    elif pick == 4:
        a, b, text = make.array(p, (m, k)), make.array(q, (n, k)), "np.inner(a, b)"
    else:
        a, b, text = make.array(p, (k,)), make.array(q, (k,)), make.one_of(["np.vdot(a, b)", "np.inner(a, b)", "np.tensordot(a, b, 0)"])
    return Case("products", [("a", a), ("b", b)], f"    return {text}", tolerance=signless)


def signless(case, wants):
    """Exact values; a sum of zeros may have either sign."""
    return [Check(w, np.zeros(w.shape)) if w.dtype.kind in "fc" else Check(w) for w in wants]


def einsum_text(make):
    """(text, shapes)"""
    letters = "ijklmn"
    extents = {c: 1 + make.below(4) for c in letters}
    count = 1 + make.below(3)
    parts, shapes = [], []
    dots = make.likely(0.25)
    batch = tuple(1 + make.below(3) for _ in range(make.below(2) + 1)) if dots else ()
    for _ in range(count):
        own = "".join(make.one_of(letters[:4]) for _ in range(1 + make.below(3)))
        shape = tuple(extents[c] for c in own)
        if dots and make.likely(0.7):
            mine = batch[make.below(len(batch)):]
            where = make.below(2)
            parts.append("..." + own if where == 0 else own + "...")
            shape = mine + shape if where == 0 else shape + mine
        else:
            parts.append(own)
        shapes.append(shape)
    text = ",".join(parts)
    if make.likely(0.7):
        used = sorted({c for c in text if c in letters})
        kept = [c for c in used if make.likely(0.5)]
        make.chance.shuffle(kept)
        text += "->" + ("..." if "..." in text else "") + "".join(kept)
    return text, shapes


def einsum_cases(chance, few):
    make = Maker(chance)
    cases = []
    while len(cases) < share(few, 200):
        text, shapes = einsum_text(make)
        if max(len(s) for s in shapes) > 4:
            continue
        dtypes = [make.one_of(["i4", "i8", "u1", "f4", "f8", "f8", "c16", "f2"]) for _ in shapes]
        args = [(name, make.array(t, s)) for name, t, s in zip("abc", dtypes, shapes)]
        try:
            np.einsum(text, *[v for _, v in args])
        except ValueError:
            continue
        names = ", ".join(n for n, _ in args)
        cases.append(Case("einsum", args, f"    return np.einsum('{text}', {names})", tolerance=signless))
    return batches(cases)


# --- elements that depend on others, statements, calls


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


GENERATORS = {"creation": creation_cases, "views": view_cases, "reductions": reduction_cases, "nan_forms": nan_cases,
              "sums": sum_cases, "other_folds": other_fold_cases, "products": product_cases, "einsum": einsum_cases,
              "statements": statement_cases}
