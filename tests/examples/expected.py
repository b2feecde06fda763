"""What each kernel of dsl-examples must compute: from its arguments by name to its results by name."""

import math

import numpy as np

from exact import fma


def axpy(a, x, y):
    return {"y": fma(np.float32(a), x, y)}


def triad(a, b, c, s):
    return {"a": fma(a.dtype.type(s), c, b)}


def increment_1d(a):
    return {"a": a + a.dtype.type(1)}


increment_2d = increment_1d


def toward(exact, direction):
    """The f4 next to an f8, below or above it."""
    nearest = exact.astype(np.float32)
    is_past = (nearest > exact) if direction < 0 else (nearest < exact)
    return np.where(is_past, np.nextafter(nearest, np.float32(direction * np.inf)), nearest)


def interval(a, b, mean):
    columns = []
    for pick, direction in ((np.min, -1), (np.max, 1)):
        product = toward(pick(a, axis=1).astype(float) * pick(b, axis=1).astype(float), direction)
        columns.append(toward(np.sqrt(product.astype(float)), direction))
    return {"mean": np.stack(columns, axis=1)}


def pairwise(X, D):
    sums = np.zeros(D.shape)
    for k in range(X.shape[1]):
        t = X[:, None, k] - X[None, :, k]
        sums = fma(t, t, sums)
    return {"D": np.sqrt(sums)}


def matmul(A, B, C):
    total = np.zeros_like(C)
    for k in range(A.shape[1]):
        total = fma(A[:, k, None], B[None, k, :], total)
    return {"C": total}


matmul_f4 = matmul_f8 = matmul


def batched_matmul(A, B, C):
    return {"C": np.stack([matmul(a, b, c)["C"] for a, b, c in zip(A, B, C)])}


def halving_sum(values, combine):
    """The last axis added up by halves: element i takes element i + half, until one is left."""
    while values.shape[-1] > 1:
        half = values.shape[-1] // 2
        values = combine(values[..., :half], values[..., half:])
    return values[..., 0]


def strided_sums(x, threads):
    """For each of the threads, the sum of its elements i, i + threads, … in this order."""
    padded = np.zeros(-(-x.shape[-1] // threads) * threads, x.dtype)
    padded[: x.size] = x
    sums = np.zeros(threads, x.dtype)
    for part in padded.reshape(-1, threads):
        sums += part
    return sums


def block_sums(x, sums):
    of_threads = strided_sums(x, 128 * sums.size).reshape(sums.size, 128)
    return {"sums": halving_sum(of_threads, np.add)}


def warp_reduction(X, sums):
    return {"sums": np.array([halving_sum(strided_sums(row, 32), np.add) for row in X])}


def scan_blocks(x, out, totals):
    padded = np.zeros(128 * totals.size, x.dtype)
    padded[: x.size] = x
    scans = padded.reshape(-1, 128).cumsum(axis=1, dtype=x.dtype)
    return {"out": scans.ravel()[: x.size], "totals": scans[:, -1]}


def add_offsets(out, offsets):
    before = np.concatenate([[0], offsets[:-1]]).astype(out.dtype)
    return {"out": out + before.repeat(128)[: out.size]}


def histogram(data, counts):
    return {"counts": np.bincount(data, minlength=counts.size).astype(np.uint32)}


def laplace(u, out):
    want = u.copy()
    vertical = u[:-2, 1:-1] + u[2:, 1:-1]
    want[1:-1, 1:-1] = 0.25 * (vertical + (u[1:-1, :-2] + u[1:-1, 2:]))
    return {"out": want}


def game_of_life(cells, out):
    around = [np.roll(cells, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]
    alive = sum(a.astype(int) for a in around)
    return {"out": ((alive == 3) | ((alive == 2) & (cells == 1))).astype(np.uint8)}


def transpose(A, B):
    return {"B": A.T.copy()}


def generators(count, seed):
    """States of xoroshiro128+ generators 2^64 numbers apart, the first seeded by SplitMix64."""
    word = (1 << 64) - 1
    z = (seed + 0x9E3779B97F4A7C15) & word
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & word
    z = (z ^ z >> 27) * 0x94D049BB133111EB & word
    states = np.full((1, 2), z ^ z >> 31, np.uint64)
    out = []
    for _ in range(count):
        out.append(states[0].copy())
        jumped = np.zeros(2, np.uint64)
        for bit in range(128):
            if (0xD86B048B86AA9922 << 64 | 0xBEAC0467EBA5FACB) >> bit & 1:
                jumped ^= states[0]
            xoroshiro128p(states)
        states[0] = jumped
    return np.array(out)


def xoroshiro128p(states):
    """The next number of each generator; the states move on."""
    s0, s1 = states[:, 0].copy(), states[:, 1].copy()
    drawn, s1 = s0 + s1, s1 ^ s0
    rotated = lambda x, k: (x << np.uint64(k)) | (x >> np.uint64(64 - k))
    states[:, 0], states[:, 1] = rotated(s0, 55) ^ s1 ^ (s1 << np.uint64(14)), rotated(s1, 36)
    return drawn


def monte_carlo_pi(states, iterations, estimates):
    uniform = lambda: ((xoroshiro128p(states) >> np.uint64(11)) * 2.0**-53).astype(np.float32)
    inside = np.zeros(estimates.size, int)
    for _ in range(iterations):
        x, y = uniform(), uniform()
        inside += x * x + y * y <= 1
    return {"states": states, "estimates": (4.0 * inside / iterations).astype(np.float32)}


def matdiag(A, d, C):
    return {"C": A * d}


def polar(radius, angle, x, y):
    r, a = radius.astype(np.float64), angle.astype(np.float64)
    return {"x": r * np.cos(a), "y": r * np.sin(a)}


def julia(c, corner, step, limit, counts):
    f4 = np.float32
    rows, columns = np.indices(counts.shape)
    x = f4(corner.real) + f4(step) * columns.astype(f4)
    y = f4(corner.imag) + -(f4(step) * rows.astype(f4))
    steps = np.zeros(counts.shape, "i4")
    inside = np.ones(counts.shape, bool)
    for _ in range(limit):
        inside = inside & (fma(x, x, y * y) <= 4)
        steps[inside] += 1
        # NumPy's product of complex numbers: nothing is fused
        x, y = np.where(inside, x * x - y * y + f4(c.real), x), np.where(inside, x * y + y * x + f4(c.imag), y)
    return {"counts": steps}


def mixed_dot(a, b, out):
    total = np.zeros(out.shape, "f4")
    for k in range(a.shape[1]):
        total = fma(a[:, k].astype("f4"), b[:, k].astype("f4"), total)
    return {"out": total}


def mandelbrot(left, top, step, limit, counts):
    row, column = np.indices(counts.shape).astype(np.float64)
    re, im = fma(step, column, left), fma(-step, row, top)
    x, y, count = np.zeros_like(re), np.zeros_like(re), np.zeros(counts.shape, np.int32)
    alive = np.ones(counts.shape, bool)
    for _ in range(limit):
        alive[alive] = fma(x[alive], x[alive], y[alive] * y[alive]) <= 4.0
        u, v = x[alive], y[alive]
        x[alive], y[alive] = fma(u, u, -(v * v)) + re[alive], fma(2.0 * u, v, im[alive])
        count[alive] += 1
    return {"counts": count}


def product(a, b):
    return {"out": a * np.asarray(b, a.dtype)}


def gaussian(x, mean, sigma):
    mean, sigma = np.float32(mean), np.float32(sigma)
    t = (x - mean) / sigma
    scale = sigma * np.float32((2 * np.pi) ** 0.5)
    return {"out": np.exp((np.float32(-0.5) * (t * t)).astype(np.float64)) / scale}


def polar_distance(r1, t1, r2, t2):
    wide = np.longdouble
    x, y = (wide(r1) * f(wide(t1)) - wide(r2) * f(wide(t2)) for f in (np.cos, np.sin))
    return {"out": np.sqrt(x * x + y * y)}


def standardize(x, mean, deviation):
    return {"out": (x - mean) / deviation}


def limited(x, limit):
    inside = np.clip(x, -np.asarray(limit, x.dtype), np.asarray(limit, x.dtype))
    return {"out0": inside, "out1": x - inside}


def row_mean(X):
    return {"mean": X.cumsum(axis=-1)[..., -1] / X.dtype.type(X.shape[-1])}


def row_sum(X):
    return {"sums": X.cumsum(axis=-1)[..., -1]}


def polar_vectors(radius, angle):
    return polar(radius, angle, None, None)


def matrix_products(A, B):
    total = 0 * (A[..., :1] * B[..., :1, :])
    for k in range(A.shape[-1]):
        total = fma(*np.broadcast_arrays(A[..., k, None], B[..., k, None, :], total))
    return {"C": total}


def moving_average(x, window):
    window = np.asarray(window)
    total, out = np.zeros(x.shape[:-1]), np.zeros(x.shape)
    for i in range(x.shape[-1]):
        total = total + x[..., i]
        before = np.take_along_axis(x, np.broadcast_to(i - window, total.shape)[..., None], -1)[..., 0]
        total = np.where(i >= window, total - before, total)
        out[..., i] = total / np.minimum(i + 1, window)
    return {"out": out}


def pairwise_distances(X, Y):
    sums = np.zeros(np.broadcast_shapes(X.shape[:-2], Y.shape[:-2]) + (X.shape[-2], Y.shape[-2]))
    for k in range(X.shape[-1]):
        t = np.broadcast_to(X[..., :, None, k] - Y[..., None, :, k], sums.shape)
        sums = fma(t, t, sums)
    return {"D": np.sqrt(sums)}


def convolution(x, w):
    n, k = x.shape[-1], w.shape[-1]
    loops = np.broadcast_shapes(x.shape[:-1], w.shape[:-1])
    total = np.zeros(loops + (n,), x.dtype)
    for j in range(k):
        at = np.arange(n) + k // 2 - j
        inside = (at >= 0) & (at < n)
        term = np.broadcast_arrays(x[..., at[inside]], w[..., j, None], total[..., inside])
        total[..., inside] = fma(*term)
    return {"out": total}


def tree(values, combine):
    """The reduction of the last axis: blocks of 4096, runs of 16 from the left, then pairs of neighbours."""
    def pairs(level):
        while len(level) > 1:
            level = [combine(*level[i:i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
        return level[0]

    def run(elements):
        result = elements[..., 0]
        for i in range(1, elements.shape[-1]):
            result = combine(result, elements[..., i])
        return result

    while values.shape[-1] > 1:
        blocks = np.split(values, range(4096, values.shape[-1], 4096), axis=-1)
        runs = [np.split(block, range(16, block.shape[-1], 16), axis=-1) for block in blocks]
        values = np.stack([pairs([run(elements) for elements in block]) for block in runs], axis=-1)
    return values[..., 0]


def total(array, init=0, size=None):
    return {"out": np.asarray(init, array.dtype) + tree(array[:size], np.add)}


def product_of_all(array, init):
    return {"out": np.asarray(init, array.dtype) * tree(array, np.multiply)}


def add_reduce(array, axis="0", keepdims=False):
    axes = tuple(int(word) for word in axis.split(","))
    if array.size == 0:
        return {"out": np.add.reduce(array, axis=axes)}
    last = np.moveaxis(array, axes, range(-len(axes), 0))
    result = tree(last.reshape(last.shape[:-len(axes)] + (-1,)), np.add)
    return {"out": np.expand_dims(result, axes) if keepdims else result}


def largest_reduce(array, axis):
    return {"out": array.max()}


def add_accumulate(array, axis):
    return {"out": np.add.accumulate(array, axis=int(axis))}


def add_outer(a, b):
    return {"out": np.add.outer(a, b)}


def add_at(target, indices, values):
    np.add.at(target, indices, values)
    return {"target": target}


def latest_accumulate(array):
    out = array.copy()
    for i in range(1, len(out)):
        out[i] = out[i - 1] if np.isnan(out[i]) else out[i]
    return {"out": out}


def latest_reduce(array):
    return {"out": array[~np.isnan(array)][-1]}


# --- array functions -------------------------------------------------------------------------------------------------


def fold_sum(values, axis=None, keepdims=False):
    """The sum along axes in the order of docs/design/row-folds.md: leaves of 16 rows of 32 columns, 8 to a block."""
    axes = tuple(range(values.ndim)) if axis is None else tuple(np.atleast_1d(axis) % values.ndim)
    last = np.moveaxis(values, axes, range(-len(axes), 0))
    level = last.reshape(last.shape[: last.ndim - len(axes)] + (-1,))
    if level.shape[-1] == 0:
        level = np.zeros(level.shape[:-1] + (1,), values.dtype)
    while level.shape[-1] > 1:
        count = -(-level.shape[-1] // 4096) * 4096
        padded = np.full(level.shape[:-1] + (count,), -0.0, values.dtype)  # what an addition leaves as it is
        padded[..., : level.shape[-1]] = level
        leaves = padded.reshape(level.shape[:-1] + (-1, 8, 16, 32))
        columns = leaves[..., 0, :]
        for row in range(1, 16):
            columns = columns + leaves[..., row, :]
        folded = halving_sum(columns, np.add)
        while folded.shape[-1] > 1:
            folded = folded[..., 0::2] + folded[..., 1::2]
        level = folded[..., 0]
    return np.expand_dims(level[..., 0], axes) if keepdims else level[..., 0]


def row_mean_of(values, axis, keepdims=False):
    count = np.prod([values.shape[a] for a in np.atleast_1d(axis)])
    return fold_sum(values, axis, keepdims) / values.dtype.type(count)


def contraction(a, b):
    """a @ b in the order of docs/design/contractions.md: blocks of 256, fused from the first to the last."""
    total = np.zeros(a.shape[:-1] + b.shape[-1:], a.dtype)
    for begin in range(0, a.shape[-1], 256):
        block = np.zeros_like(total)
        for k in range(begin, min(begin + 256, a.shape[-1])):
            block = fma(*np.broadcast_arrays(a[..., k, None], b[..., k, None, :], block))
        total = total + block
    return total


def distances(X, Y):
    return {"out": np.sqrt(fold_sum((X[:, None, :] - Y[None, :, :]) ** 2, -1))}


def softmax(x):
    e = np.exp((x - x.max(axis=-1, keepdims=True)).astype("f8"))
    return {"out": e / e.sum(axis=-1, keepdims=True)}


def layer_norm(x, scale, shift, eps):
    centred = x - row_mean_of(x, -1, True)
    variance = row_mean_of(centred * centred, -1, True)
    return {"out": centred / np.sqrt(variance + np.float32(eps)) * scale + shift}


def kmeans_step(X, centres):
    squares = fold_sum((X[:, None, :] - centres[None, :, :]) ** 2, 2)
    nearest = squares.argmin(axis=1)
    belongs = (nearest[:, None] == np.arange(len(centres))).astype("f8")
    counts = belongs.sum(axis=0)[:, None]
    means = contraction(belongs.T, X) / np.maximum(counts, 1)
    return {"out0": np.where(counts > 0, means, centres), "out1": nearest, "out2": np.asarray(fold_sum(squares.min(axis=1)))}


def black_scholes(price, strike, years, rate, volatility):
    normal = lambda x: 0.5 * np.vectorize(math.erfc)(-x * math.sqrt(0.5))
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    call = price * normal(d1) - discounted * normal(d2)
    return {"out0": call, "out1": discounted * normal(-d2) - price * normal(-d1)}


def swish(x):
    wide = x.astype("f8")
    return {"out": (wide / (1 + np.exp(-wide))).astype("f4")}


def standardize_columns(X):
    mean = row_mean_of(X, 0)
    distance = X - mean
    deviation = np.sqrt(row_mean_of(distance * distance, 0))
    return {"out": distance / np.where(deviation == 0, 1, deviation)}


def unit(v):
    return {"out": v / np.sqrt(fold_sum(v * v, -1, True))}


def cosine_similarity(A, B):
    return {"out": contraction(unit(A)["out"], unit(B)["out"].T)}


def reaction_diffusion(u, v, steps):
    def spread(a):
        beside = np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1)
        across = sum_of([np.roll(np.roll(a, dy, 0), dx, 1) for dy in (1, -1) for dx in (1, -1)])
        return np.float32(0.2) * beside + np.float32(0.05) * across - a

    f4 = np.float32
    for _ in range(steps):
        eaten = u * v * v
        after = u + (f4(0.16) * spread(u) - eaten + f4(0.035) * (1 - u))
        v = v + (f4(0.08) * spread(v) + eaten - f4(0.1) * v)
        u = after
    return {"out0": u, "out1": v}


def sum_of(terms):
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def block_means(x, width):
    return {"out": row_mean_of(x.reshape(x.shape[0], x.shape[1], -1, width), -1)}


def quadrature(x, y):
    z = (x - row_mean_of(x, 0)).astype("c16")
    z[1:] += 2j * np.diff(y)
    return {"out": z}


def attention(Q, K, V):
    scores = contraction(Q, K.transpose(0, 2, 1)) / np.sqrt(np.float32(Q.shape[2]))
    weights = np.exp((scores - scores.max(axis=-1, keepdims=True)).astype("f8"))
    return {"out": weights / weights.sum(axis=-1, keepdims=True) @ V.astype("f8")}


def dense_layer(x, weights, bias):
    y = contraction(x, weights) + bias
    return {"out": np.where(y > 0, y, y * np.float32(0.1))}


def escape_counts(left, top, step, height, width, limit):
    re = left + step * np.arange(width)[None, :]
    im = top - step * np.arange(height)[:, None]
    x, y = np.zeros((height, width)), np.zeros((height, width))
    counts = np.zeros((height, width), "i4")
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(limit):
            inside = x * x + y * y <= 4
            counts += inside
            x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, 2 * x * y + im, y)
    return {"out": counts}


def pixels(counts, limit):
    shade = 255 * counts // limit
    colours = np.stack((shade, shade * shade // 255, 64 + shade * 3 // 4), axis=-1)
    return {"out": np.where((counts < limit)[..., None], colours, 0).astype("u1")}


def picture(left, top, step, height, width, limit):
    counts = escape_counts(left, top, step, height, width, limit)["out"]
    return pixels(counts, limit)


def covariance(X):
    centred = X - row_mean_of(X, 0)
    return {"out": contraction(centred.T, centred) / (len(X) - 1)}


def power_iteration(A, tolerance, limit):
    v, value, moved, turns = np.ones(len(A)), 0.0, np.inf, 0
    while moved > tolerance and turns < limit:
        w, old = fold_sum(A * v, 1), value
        value = fold_sum(v * w) / fold_sum(v * v)
        v = w / np.sqrt(fold_sum(w * w))
        moved = abs(value - old)
        turns += 1
    return {"out0": np.asarray(value), "out1": v, "out2": np.asarray(turns)}


# These are called; the names of their results.
CALLED = {
    "product": ["out"], "gaussian": ["out"], "polar_distance": ["out"], "standardize": ["out"],
    "limited": ["out0", "out1"],
    "row_mean": ["mean"], "row_sum": ["sums"], "polar_vectors": ["x", "y"], "matrix_products": ["C"],
    "total": ["out"], "product_of_all": ["out"], "add.reduce": ["out"], "largest.reduce": ["out"],
    "add.accumulate": ["out"], "add.outer": ["out"], "latest.accumulate": ["out"], "latest.reduce": ["out"],
    "moving_average": ["out"], "pairwise_distances": ["D"], "convolution": ["out"],
    "distances": ["out"], "softmax": ["out"], "layer_norm": ["out"], "kmeans_step": ["out0", "out1", "out2"],
    "unit": ["out"], "cosine_similarity": ["out"], "reaction_diffusion": ["out0", "out1"], "block_means": ["out"], "quadrature": ["out"],
    "black_scholes": ["out0", "out1"], "standardize_columns": ["out"], "attention": ["out"], "dense_layer": ["out"],
    "swish": ["out"], "escape_counts": ["out"], "pixels": ["out"], "picture": ["out"],
    "covariance": ["out"], "power_iteration": ["out0", "out1", "out2"],
}

# Bounds in ulp for kernels that use functions which are not rounded correctly; all others agree bit for bit.
# polar: 2.2 ulp for sin and cos (at most doubled by where the product lies in its binade), 0.5 for the product.
# gaussian: 2.2 ulp for exp, likewise doubled, 0.5 for the quotient.
# polar_distance: coordinates below 3 with polar's bound, off by at most 2 units in 2^-51, and a distance above 1.
# softmax: 2.2 ulp for exp, and likewise for the sum, whose 24 additions of a row of 5000 add 0.5 each; doubled; 0.5.
# swish: docs/fastmath.md: exp 2 ulp and 1.2 times the argument's size (below 5), doubled, the quotient 2 ulp.
MAX_ULP = {"swish": 18, "polar": 4.9, "polar_vectors": 4.9, "gaussian": 4.9, "polar_distance": 16, "softmax": 33.3}

# Absolute bounds where a result is a difference of larger numbers.
# black_scholes: two products of at most 50 by a probability, each within 4 units in 2^-53.
# attention: at most 4.5 times what the weights are off (8 units in 2^-23) and 30 roundings of half a unit.
MAX_ERROR = {"black_scholes": 5e-14, "attention": 1.3e-5}
