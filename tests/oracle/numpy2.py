"""What texts of array functions mean to Python: arrays with the operators of NumPy 2, made of NumPy 1.24's loops.

NumPy 1.24 computes the values, in the types of NumPy 2's promotion (NEP 50), which is written out here. Written out are
also the language's own definitions where NumPy has none or another one (docs/language.md): negative powers of ints,
comparisons of u8 with signed ints, casts that saturate, complex products of four rounded products, f4 ** int in f4; and
the order of float sums, which is public (docs/design/row-folds.md), so that they can be compared to the last bit.
`namespace()` is what a text is executed in.
"""

import math
import types

import numpy as np

np._set_promotion_state("weak")

INTS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "f4", "f8"]
COMPLEX = ["c8", "c16"]
NAMES = ["b1"] + INTS + FLOATS + COMPLEX
KINDS = "biufc"


def name_of(dtype):
    return np.dtype(dtype).str[1:]


def rank_of_kind(kind):
    return {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}[kind]


def is_weak(value):
    return type(value) in (bool, int, float, complex)


def with_weak(dtype, value):
    """The type that a number of Python and an array meet in."""
    kind = {bool: "b", int: "i", float: "f", complex: "c"}[type(value)]
    if rank_of_kind(kind) <= rank_of_kind(dtype.kind):
        return dtype
    if kind == "c":
        return np.dtype("c8" if dtype in (np.dtype("f2"), np.dtype("f4")) else "c16")
    return np.dtype({"i": "i8", "f": "f8"}[kind])


def common(*values):
    typed = [v.dtype for v in values if not is_weak(v)]
    if not typed:
        return np.result_type(*values)
    out = typed[0]
    for dtype in typed[1:]:
        out = np.promote_types(out, dtype)
    for v in values:
        if is_weak(v):
            out = with_weak(out, v)
    return out


def plain(value):
    return value if is_weak(value) else np.asarray(value)


def array(value):
    return np.asarray(value).view(Array)


def cast(values, to):
    """Floats become ints by truncation, the nearest one there is, or 0 of a NaN."""
    values, to = np.asarray(values), np.dtype(to)
    if to.kind == "b":
        return values != 0
    if values.dtype.kind != "f" or to.kind not in "iu":
        return values.astype(to)
    info = np.iinfo(to)
    wide = np.nan_to_num(np.trunc(values.astype("f8")), nan=0.0)
    low, high = wide <= float(info.min), wide >= float(info.max)
    inside = np.where(low | high, 0.0, wide).astype("u8" if to == np.dtype("u8") else "i8").astype(to)
    return np.where(low, to.type(info.min), np.where(high, to.type(info.max), inside))


# --- operators


def meet(a, b, dtype=None):
    a, b = plain(a), plain(b)
    dtype = common(a, b) if dtype is None else dtype
    return np.asarray(a).astype(dtype), np.asarray(b).astype(dtype)


def counted(dtype):
    """Bools count in i1 where they have no operation of their own."""
    return np.dtype("i1") if dtype.kind == "b" else dtype


def add(a, b):
    return np.add(*meet(a, b))


def subtract(a, b):
    return np.subtract(*meet(a, b))


def multiply(a, b):
    x, y = meet(a, b)
    return product_of(x, y) if x.dtype.kind == "c" else np.multiply(x, y)


def product_of(x, y):
    """The four products, rounded one by one; NumPy's loops may fuse two of them."""
    x, y = np.broadcast_arrays(x, y)
    out = np.empty(x.shape, x.dtype)
    out.real = x.real * y.real - x.imag * y.imag
    out.imag = x.real * y.imag + x.imag * y.real
    return out


def divide(a, b):
    dtype = common(plain(a), plain(b))
    return np.divide(*meet(a, b, np.dtype("f8") if dtype.kind in "biu" else dtype))


def floor_divide(a, b):
    return np.floor_divide(*meet(a, b, counted(common(plain(a), plain(b)))))


def remainder(a, b):
    return np.remainder(*meet(a, b, counted(common(plain(a), plain(b)))))


def int_power(base, exponent):
    if exponent >= 0:
        return pow(base, exponent, 2**64) if abs(base) > 1 else base**exponent if exponent < 64 else base ** (62 + exponent % 2)
    return {1: 1, -1: -1 if exponent % 2 else 1}.get(base, 0)


def wrapped(values, dtype):
    bits, low = 8 * dtype.itemsize, int(np.iinfo(dtype).min)
    return ((values - low) % 2**bits + low).astype(dtype)


def power(a, b):
    a, b = plain(a), plain(b)
    dtype = counted(common(a, b))
    if dtype.kind in "iu":
        x, y = meet(a, b, dtype)
        values = np.frompyfunc(int_power, 2, 1)(x.astype(object), y.astype(object))
        return wrapped(np.asarray(values, dtype=object), dtype)
    exponent_kind = type(b).__name__[0] if is_weak(b) else b.dtype.kind
    if exponent_kind in "biu" and not is_weak(a) and a.dtype.kind == "f":
        dtype = a.dtype
        magnitude = np.power(np.abs(a).astype("g"), np.asarray(b).astype("g"))
        odd = np.asarray(np.asarray(b).astype(object) % 2 == 1, dtype=bool)
        return np.where(np.signbit(a) & odd, -magnitude, magnitude).astype(dtype)
    x, y = meet(a, b, dtype)
    return np.power(x, y)


def ints(function):
    def apply(a, b):
        return function(*meet(a, b, counted(common(plain(a), plain(b)))))

    return apply


def bits(function):
    return lambda a, b: function(*meet(a, b))


def is_int_like(v):
    return type(v) in (bool, int) if is_weak(v) else v.dtype.kind in "biu"


def comparison(function):
    def apply(a, b):
        a, b = plain(a), plain(b)
        if is_int_like(a) and is_int_like(b):
            return function(np.asarray(a).astype(object), np.asarray(b).astype(object)).astype(bool)
        return function(*meet(a, b))

    return apply


BINARY = {"add": add, "sub": subtract, "mul": multiply, "truediv": divide, "floordiv": floor_divide, "mod": remainder,
          "pow": power, "lshift": ints(np.left_shift), "rshift": ints(np.right_shift), "and": bits(np.bitwise_and),
          "or": bits(np.bitwise_or), "xor": bits(np.bitwise_xor)}
COMPARE = {"eq": comparison(np.equal), "ne": comparison(np.not_equal), "lt": comparison(np.less),
           "le": comparison(np.less_equal), "gt": comparison(np.greater), "ge": comparison(np.greater_equal)}


class Array(np.ndarray):
    """A whole array, or with no axes a typed scalar."""

    def __getitem__(self, key):
        return array(np.asarray(self)[key])

    def __setitem__(self, key, value):
        """NumPy drops leading axes of extent 1 of the value; the language does not."""
        if np.ndim(value) > np.asarray(self)[key].ndim:
            raise ValueError("more axes than there are places")
        np.asarray(self)[key] = cast(value, self.dtype)

    def astype(self, dtype):
        return array(cast(self, dtype_of(dtype)))

    def __matmul__(self, other):
        return matmul(self, other)

    def __bool__(self):
        return bool(np.asarray(self))

    def __index__(self):
        return int(np.asarray(self))

    __hash__ = None


def method(function, turned=False):
    return lambda self, other: array(function(other, self) if turned else function(self, other))


def in_place(function):
    def apply(self, other):
        self[...] = function(self, other)
        return self

    return apply


for op, function in BINARY.items():
    setattr(Array, f"__{op}__", method(function))
    setattr(Array, f"__r{op}__", method(function, turned=True))
    setattr(Array, f"__i{op}__", in_place(function))
for op, function in COMPARE.items():
    setattr(Array, f"__{op}__", method(function))
for op, function in {"neg": np.negative, "pos": np.positive, "invert": np.invert, "abs": np.abs}.items():
    setattr(Array, f"__{op}__", lambda self, function=function: array(function(np.asarray(self))))


# --- reductions: the public tree, docs/design/row-folds.md


def along_last(a, axis):
    """(the folded elements along one last axis, the shape with extents of 1 there)"""
    a = np.asarray(a)
    if axis is None:
        folded = list(range(a.ndim))
    else:
        folded = sorted(k % a.ndim for k in (axis if isinstance(axis, tuple) else (axis,)))
    kept = [k for k in range(a.ndim) if k not in folded]
    moved = a.transpose(kept + folded)
    count = int(np.prod([a.shape[k] for k in folded], dtype=int))
    flat = moved.reshape([a.shape[k] for k in kept] + [count])
    return flat, tuple(1 if k in folded else a.shape[k] for k in range(a.ndim))


def tree(flat, function):
    """Blocks of 4096, their results as elements, until one is left."""
    while flat.shape[-1] > 1:
        blocks = [flat[..., at:at + 4096] for at in range(0, flat.shape[-1], 4096)]
        flat = np.stack([in_pairs([leaf(b[..., k:k + 512], function) for k in range(0, b.shape[-1], 512)], function)
                         for b in blocks], axis=-1)
    return flat[..., 0]


def in_pairs(parts, function):
    while len(parts) > 1:
        pairs = [function(parts[k], parts[k + 1]) for k in range(0, len(parts) - 1, 2)]
        parts = pairs + parts[2 * len(pairs):]
    return parts[0]


def leaf(elements, function):
    """16 rows of 32 columns: each column from first to last, then halves of the columns."""
    columns = []
    for c in range(min(32, elements.shape[-1])):
        out = elements[..., c]
        for k in range(c + 32, elements.shape[-1], 32):
            out = function(out, elements[..., k])
        columns.append(out)
    for step in (16, 8, 4, 2, 1):
        for c in range(min(step, len(columns) - step)):
            columns[c] = function(columns[c], columns[c + step])
        columns = columns[:step]
    return columns[0]


def fold(a, function, neutral, axis, keepdims):
    flat, shape = along_last(a, axis)
    if flat.shape[-1] == 0:
        out = np.full(flat.shape[:-1], neutral, flat.dtype)
    else:
        out = np.asarray(tree(flat, function)).astype(flat.dtype)
    return out.reshape(shape) if keepdims else out


def sum_dtype(dtype):
    return np.dtype("i8") if dtype.kind in "bi" else np.dtype("u8") if dtype.kind == "u" else dtype


def dtype_of(dtype):
    return dtype.dtype if isinstance(dtype, Name) else np.dtype(dtype)


def total(a, axis=None, dtype=None, keepdims=False, initial=None, where=None, function=add, neutral=0):
    a = np.asarray(a)
    result = sum_dtype(a.dtype) if dtype is None else dtype_of(dtype)
    a = cast(a, result)
    if where is not None:
        a = np.where(where, a, result.type(neutral))
    wide = a.astype("f4") if result == np.dtype("f2") else a
    out = fold(wide, function, neutral, axis, keepdims).astype(result)
    return array(out if initial is None else function(np.asarray(initial).astype(result), out).astype(result))


def product(a, **options):
    return total(a, function=multiply, neutral=1, **options)


def computed_in(a, dtype):
    result = dtype_of(dtype) if dtype is not None else a.dtype if a.dtype.kind in "fc" else np.dtype("f8")
    return result, np.dtype("f4") if result == np.dtype("f2") else result


def mean(a, axis=None, dtype=None, keepdims=False):
    a = np.asarray(a)
    result, wide = computed_in(a, dtype)
    flat, _ = along_last(a, axis)
    out = fold(a.astype(wide), add, 0, axis, keepdims)
    return array(divide(out, flat.shape[-1]).astype(result))


def var(a, axis=None, dtype=None, ddof=0, keepdims=False):
    a = np.asarray(a)
    result, wide = computed_in(a, dtype)
    flat, _ = along_last(a, axis)
    x = a.astype(wide)
    d = x - divide(fold(x, add, 0, axis, True), flat.shape[-1])
    square = d.real * d.real + d.imag * d.imag if d.dtype.kind == "c" else d * d
    out = divide(fold(square, add, 0, axis, keepdims), max(flat.shape[-1] - ddof, 0))
    return array(out.astype(result if result.kind == "f" else result.type(0).real.dtype))


def std(a, **options):
    a = np.asarray(a)
    result, wide = computed_in(a, options.pop("dtype", None))
    out = np.sqrt(np.asarray(var(a, dtype=wide, **options)))
    return array(out.astype(result if result.kind == "f" else out.dtype))


def extreme(function, compare):
    """np.max or np.min. Of two equal numbers the right one, along the tree: NumPy's choice between -0.0 and 0.0 depends
    on the machine, the language's does not."""

    def better(a, b):
        return np.where(np.isnan(a) | np.isnan(b), np.nan, np.where(compare(a, b), a, b)).astype(a.dtype)

    def apply(a, axis=None, keepdims=False, **options):
        a = np.asarray(a)
        out = np.asarray(function(a, axis=axis, keepdims=keepdims, **options))
        if a.dtype.kind != "f" or a.size == 0 or options:
            return array(out)
        return array(fold(a, better, 0, axis, keepdims).reshape(out.shape))

    return apply


largest, least = extreme(np.max, np.greater), extreme(np.min, np.less)


# --- products


def matmul(a, b):
    """NumPy's values; their last bits are those of its order."""
    a, b = np.asarray(a), np.asarray(b)
    dtype = common(a, b)
    wide = np.dtype("f4") if dtype == np.dtype("f2") else dtype
    return array(np.matmul(a.astype(wide), b.astype(wide)).astype(dtype))


# --- names


class Name:
    """f4 and its kin: a type, and a cast."""

    def __init__(self, name):
        self.dtype = np.dtype("?" if name == "b1" else name)  # NumPy's b1 is another name of i1

    def __call__(self, value):
        return array(cast(value, self.dtype))


def minimum_of(function):
    def apply(a, b):
        x, y = meet(a, b)
        if x.dtype == np.dtype("f2"):  # of two equal zeros NumPy's halves take the left one, its other floats the right
            return array(function(x.astype("f4"), y.astype("f4")).astype("f2"))
        return array(function(x, y))

    return apply


def where(condition, a, b):
    x, y = meet(a, b)
    return array(np.where(np.asarray(condition) != 0, x, y))


def clip(a, low=None, high=None):
    out = a
    if low is not None:
        out = SHIM.maximum(out, low)
    if high is not None:
        out = SHIM.minimum(out, high)
    return out


def select(conditions, choices, default=0):
    out = default
    for condition, choice in list(zip(conditions, choices))[::-1]:
        out = where(condition, choice, out)
    return out


def joined(parts, axis=0):
    dtype = common(*[np.asarray(p) for p in parts])
    return array(np.concatenate([np.asarray(p).astype(dtype) for p in parts], axis=axis))


def matrix_transpose(a):
    return array(np.swapaxes(a, -1, -2))


def vecdot(a, b):
    """Of complex numbers the left one is conjugated, as in NumPy 2."""
    return total(multiply(np.conj(np.asarray(a)), np.asarray(b)), axis=-1, dtype=common(np.asarray(a), np.asarray(b)))


def fused(function):
    """A function of NumPy 1.24 that is right as it is."""

    def apply(*args, **options):
        options = {k: dtype_of(v) if isinstance(v, Name) else v for k, v in options.items()}
        args = [dtype_of(a) if isinstance(a, Name) else np.asarray(a) if isinstance(a, Array) else a for a in args]
        out = function(*args, **options)
        if isinstance(out, (list, tuple)):
            return tuple(array(o) for o in out)
        return array(out) if isinstance(out, (np.ndarray, np.generic)) else out

    return apply


def operator_function(function):
    return lambda a, b: array(function(a, b))


for name, function in {"clip": clip, "sum": total, "prod": product, "mean": mean, "var": var, "std": std, "max": largest,
                       "min": least}.items():
    setattr(Array, name, function)


class Shim:
    """np of a text."""

    newaxis, pi, e, inf, nan = None, math.pi, math.e, math.inf, math.nan

    def __getattr__(self, name):
        out = getattr(np, name)
        if isinstance(out, type) and issubclass(out, np.generic):
            out = Name(name_of(out))
        elif callable(out):
            out = fused(out)
        setattr(self, name, out)
        return out


SHIM = Shim()
for name, function in {
        "sum": total, "prod": product, "mean": mean, "var": var, "std": std, "max": largest, "min": least, "amax": largest,
        "amin": least, "matmul": matmul, "where": where, "clip": clip,
        "select": select, "concat": joined, "concatenate": joined, "matrix_transpose": matrix_transpose, "vecdot": vecdot,
        "permute_dims": fused(np.transpose), "astype": lambda x, dtype: array(cast(x, dtype_of(dtype))),
        "minimum": minimum_of(np.minimum), "maximum": minimum_of(np.maximum), "fmin": minimum_of(np.fmin),
        "fmax": minimum_of(np.fmax), "square": lambda a: array(multiply(a, a)),
        "add": operator_function(add), "subtract": operator_function(subtract), "multiply": operator_function(multiply),
        "divide": operator_function(divide), "floor_divide": operator_function(floor_divide),
        "mod": operator_function(remainder), "power": operator_function(power),
        "full": lambda shape, value, dtype=None: array(np.full(shape, cast(value, dtype_of(dtype) if dtype else common(plain(value))))),
        "logical_and": lambda a, b: array(np.logical_and(a, b)), "logical_or": lambda a, b: array(np.logical_or(a, b)),
}.items():
    setattr(SHIM, name, function)
for name, op in {"equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt",
                 "greater_equal": "ge"}.items():
    setattr(SHIM, name, operator_function(COMPARE[op]))


def vectorize(*args, **options):
    """Each element by itself; the result has the elements' common type, as the tests' signatures say."""

    def make(f):
        def apply(*values):
            values = np.broadcast_arrays(*[np.asarray(v) for v in values])
            out = np.empty(values[0].shape, common(*values))
            for at in np.ndindex(out.shape):
                out[at] = f(*[array(v[at]) for v in values])
            return array(out)

        return apply

    return make


def namespace():
    fake = types.ModuleType("numba")
    fake.jit = lambda *args, **options: args[0] if args and callable(args[0]) else (lambda f: f)
    fake.vectorize = vectorize
    out = {"np": SHIM, "math": math, "jit": fake.jit, "vectorize": vectorize}
    out.update({name: Name(name) for name in NAMES})
    return out


def execute(text, function, args):
    """The results of a function of a text, as a list of arrays. Its imports are already there."""
    scope = namespace()
    body = "\n".join("" if line.startswith(("import ", "from ")) else line for line in text.split("\n"))
    exec(compile(body, "case.dsl", "exec"), scope)
    out = scope[function](*args)
    return [np.asarray(o) for o in (out if isinstance(out, tuple) else (out,))]
