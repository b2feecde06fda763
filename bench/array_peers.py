"""Ufuncs on large arrays against NumPy, numexpr and Numba, which take turns.

usage: array_peers.py ARRAY_CALLS THREADS [FILE.json]

Runs in a Python that has numpy; peers that it lacks are left out. All store f4 results into an array that is there
already. Prints the minimum and the median of the times, and ours / peer of both; aims are for the minima.
"""

import math
import sys

import numpy as np

from turns import Program, Report, peer_functions, timed

ROUNDS = 15
SQRT_2PI = np.float32(math.sqrt(2 * math.pi))


def numba_functions(parallel):
    import numba
    from numba import vectorize

    options = {"target": "parallel"} if parallel else {"nopython": True}
    f4 = numba.float32

    @vectorize([f4(f4)], **options)
    def root(a):
        return math.sqrt(a)

    @vectorize([f4(f4, f4)], **options)
    def axpb(a, b):
        return f4(2) * a + b

    @vectorize([f4(f4, f4, f4)], **options)
    def gaussian(x, mean, sigma):
        return math.exp(f4(-0.5) * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)

    @vectorize([f4(f4, f4, f4, f4)], **options)
    def polar_distance(rho1, theta1, rho2, theta2):
        dx = rho1 * math.cos(theta1) - rho2 * math.cos(theta2)
        dy = rho1 * math.sin(theta1) - rho2 * math.sin(theta2)
        return math.sqrt(dx * dx + dy * dy)

    @vectorize([f4(f4, f4)], **options)
    def damped(a, b):
        return math.exp(-a) * math.sqrt(b * b + f4(1))

    @vectorize([f4(f4, f4)], **options)
    def rows(a, b):
        return a - b

    mean, sigma = np.float32(0.5), np.float32(1.25)
    return {"root": lambda a, b, c, d, out: root(a, out=out),
            "axpb": lambda a, b, c, d, out: axpb(a, b, out=out),
            "gaussian": lambda a, b, c, d, out: gaussian(a, mean, sigma, out=out),
            "polar_distance": lambda a, b, c, d, out: polar_distance(a, b, c, d, out=out),
            "damped": lambda a, b, c, d, out: damped(a, b, out=out),
            "rows": lambda a, b, c, d, out: rows(matrix(a), b[:1000], out=matrix(out))}


def matrix(x):
    return x[:x.size // 1000 * 1000].reshape(-1, 1000)


def numpy_gaussian(a, b, c, d, out):
    t = (a - np.float32(0.5)) / np.float32(1.25)
    np.multiply(t, t, out=t)
    np.multiply(t, np.float32(-0.5), out=t)
    np.exp(t, out=t)
    np.divide(t, np.float32(1.25) * SQRT_2PI, out=out)


def numpy_polar(a, b, c, d, out):
    dx = a * np.cos(b) - c * np.cos(d)
    dy = a * np.sin(b) - c * np.sin(d)
    np.sqrt(dx * dx + dy * dy, out=out)


def numpy_axpb(a, b, c, d, out):
    np.multiply(a, np.float32(2), out=out)
    np.add(out, b, out=out)


def numpy_damped(a, b, c, d, out):
    np.multiply(np.exp(-a), np.sqrt(b * b + np.float32(1)), out=out)


def numpy_functions():
    return {"root": lambda a, b, c, d, out: np.sqrt(a, out=out), "axpb": numpy_axpb, "gaussian": numpy_gaussian,
            "polar_distance": numpy_polar, "damped": numpy_damped,
            "rows": lambda a, b, c, d, out: np.subtract(matrix(a), b[:1000], out=matrix(out))}


def numexpr_functions(threads):
    import numexpr

    numexpr.set_num_threads(threads)
    texts = {"root": "sqrt(a)", "axpb": "two * a + b", "gaussian": "exp(half * ((a - mean) / sigma) ** 2) / scale",
             "polar_distance": "sqrt((a * cos(b) - c * cos(d)) ** 2 + (a * sin(b) - c * sin(d)) ** 2)",
             "damped": "exp(-a) * sqrt(b * b + one)", "rows": "a - b"}
    constants = {"two": np.float32(2), "half": np.float32(-0.5), "mean": np.float32(0.5), "sigma": np.float32(1.25),
                 "scale": np.float32(1.25) * SQRT_2PI, "one": np.float32(1)}

    def function(name, text):
        def call(a, b, c, d, out):
            if name == "rows":
                a, b, out = matrix(a), b[:1000], matrix(out)
            numexpr.evaluate(text, {"a": a, "b": b, "c": c, "d": d, **constants}, out=out, casting="same_kind")
        return call

    return {name: function(name, text) for name, text in texts.items()}


# name, what it is, elements, aims by peer
CASES = [
    ("root", "sqrt(a)", 10_000_000, {}),
    ("axpb", "2a + b", 10_000_000, {}),
    ("axpb", "2a + b", 1 << 25, {"NumPy": 1 / 3, "numexpr": 1 / 2.2, "Numba parallel": 1.0}),
    ("damped", "exp(-a) sqrt(b² + 1)", 1 << 25, {"NumPy": 1 / 8, "numexpr": 1 / 5, "Numba parallel": 1 / 3}),
    ("gaussian", "Gaussian density", 10_000_000, {}),
    ("polar_distance", "polar distance", 10_000_000, {}),
    ("rows", "matrix - row of 1000", 10_000_000, {}),
]


def peers_of(threads):
    return peer_functions({"NumPy": numpy_functions, "numexpr": lambda: numexpr_functions(threads),
                           "Numba vectorize" if threads == 1 else "Numba parallel":
                               lambda: numba_functions(threads > 1)})


def main():
    program, threads = sys.argv[1], int(sys.argv[2])
    peers = peers_of(threads)
    ours = Program(program, str(threads))
    report = Report("ufuncs on large arrays", threads)
    generator = np.random.default_rng(1)
    for name, what, count, aims in CASES:
        arrays = [generator.uniform(0, 4, count).astype("f4") for _ in range(4)] + [np.empty(count, "f4")]
        competitors = {"ours": lambda: ours.ms(f"{name} {count}")}
        for peer, functions in peers.items():
            competitors[peer] = timed(lambda call=functions[name]: call(*arrays))
        report.compare(what, count, competitors, aims, ROUNDS)
    ours.quit()
    if len(sys.argv) > 3:
        report.write(sys.argv[3])


main()
