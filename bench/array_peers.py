"""Ufuncs on large arrays against NumPy, numexpr and Numba, which take turns.

usage: array_peers.py ARRAY_CALLS THREADS [FILE.json]

Runs in a Python that has numpy; peers that it lacks are left out. All store f4 results into an array that is there
already. Prints the minimum and the median of the times, and ours / peer of both; aims are for the minima.
"""

import json
import math
import statistics
import subprocess
import sys
import time

import numpy as np

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
    peers = {"NumPy": numpy_functions}
    peers["numexpr"] = lambda: numexpr_functions(threads)
    peers["Numba vectorize" if threads == 1 else "Numba parallel"] = lambda: numba_functions(threads > 1)
    out = {}
    for name, make in peers.items():
        try:
            out[name] = make()
        except ImportError:
            print(f"without {name}, which this Python lacks")
    return out


def main():
    program, threads = sys.argv[1], int(sys.argv[2])
    peers = peers_of(threads)
    ours = subprocess.Popen([program, str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def our_ms(name, count):
        ours.stdin.write(f"{name} {count}\n")
        ours.stdin.flush()
        return float(ours.stdout.readline())

    print(f"{'what':<24} {'elements':>9} {'peer':<16} {'ours ms':<16} {'peer ms':<16} {'ratio':<14} aim")
    rows = []
    generator = np.random.default_rng(1)
    for name, what, count, aims in CASES:
        arrays = [generator.uniform(0, 4, count).astype("f4") for _ in range(4)] + [np.empty(count, "f4")]
        times = {peer: [] for peer in ["ours", *peers]}
        our_ms(name, count)
        for functions in peers.values():
            functions[name](*arrays)
        for _ in range(ROUNDS):
            times["ours"].append(our_ms(name, count))
            for peer, functions in peers.items():
                begin = time.perf_counter()
                functions[name](*arrays)
                times[peer].append(1000 * (time.perf_counter() - begin))
        own = min(times["ours"]), statistics.median(times["ours"])
        for peer in peers:
            other = min(times[peer]), statistics.median(times[peer])
            ratio = own[0] / other[0], own[1] / other[1]
            aim = f"{aims[peer]:.2f}" if peer in aims else "-"
            print(f"{what:<24} {count:>9} {peer:<16} {own[0]:<7.2f}/{own[1]:<8.2f} {other[0]:<7.2f}/{other[1]:<8.2f} "
                  f"{ratio[0]:<5.2f}/ {ratio[1]:<6.2f} {aim}")
            rows.append({"what": what, "elements": count, "peer_name": peer, "ours_ms": times["ours"],
                         "peer_ms": times[peer], "ratio_of_minima": ratio[0], "ratio_of_medians": ratio[1],
                         "aim": aims.get(peer)})
    ours.communicate("quit\n")
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            json.dump({"benchmark": "ufuncs on large arrays", "threads": threads, "rows": rows}, file, indent=1)


main()
