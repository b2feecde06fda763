"""What each kernel of dsl-examples must compute: from its arguments by name to its results by name."""

import numpy as np

from exact import fma


def axpy(a, x, y):
    return {"y": fma(np.float32(a), x, y)}


def increment_1d(a):
    return {"a": a + a.dtype.type(1)}


increment_2d = increment_1d


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


def matdiag(A, d, C):
    return {"C": A * d}


def polar(radius, angle, x, y):
    r, a = radius.astype(np.float64), angle.astype(np.float64)
    return {"x": r * np.cos(a), "y": r * np.sin(a)}


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


# Bounds in ulp for kernels that use functions which are not rounded correctly; all others agree bit for bit.
# polar: 2.2 ulp for sin and cos (at most doubled by where the product lies in its binade), 0.5 for the product.
MAX_ULP = {"polar": 4.9}
