"""Array functions against NumPy, numexpr, Numba and C++, which take turns; their results are compared first.

usage: array_function_peers.py ARRAY_FUNCTIONS THREADS [FILE.json [CASE …]]

Runs in a Python that has numpy; peers that it lacks are left out. The product's peer is the BLAS of that NumPy,
which is OpenBLAS where it came from PyPI. All store f4 results into memory that is there already, where they can. Prints
the minimum and the median of the times, and ours / peer of both; aims are for the minima.
"""

import math
import os
import sys
import tempfile

THREADS = int(sys.argv[2])
# Read when the libraries are loaded. Who has done its turn must not go on waiting for work on the others' time.
os.environ.update(OPENBLAS_NUM_THREADS=str(THREADS), OPENBLAS_THREAD_TIMEOUT="16", NUMBA_NUM_THREADS=str(THREADS),
                  OMP_WAIT_POLICY="passive")

import numpy as np  # noqa: E402

from turns import Program, Report, peer_functions, timed  # noqa: E402

COUNT = 1 << 25
ROUNDS = 15


def elements(shape, seed):
    """What array_functions.cpp makes: see input_elements() there."""
    count = math.prod(shape)
    bits = np.arange(count, dtype="u4") * np.uint32(2654435761) + np.uint32(seed * 0x9E3779)
    return ((bits >> np.uint32(8)).astype("f4") * np.float32(2.0 ** -22)).reshape(shape)


# --- peers: functions of the inputs and of memory for the result ------------------------------------------------------


def numpy_axpb(a, b, out):
    np.multiply(a, np.float32(2), out=out)
    np.add(out, b, out=out)


def numpy_damped(a, b, out):
    np.multiply(np.exp(-a), np.sqrt(b * b + np.float32(1)), out=out)


def numpy_softmax(x, out):
    np.subtract(x, x.max(axis=-1, keepdims=True), out=out)
    np.exp(out, out=out)
    np.divide(out, out.sum(axis=-1, keepdims=True), out=out)


def numpy_distances(x, y, out):
    np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2), out=out)


def numpy_functions():
    column_sums = lambda a, out: np.sum(a, axis=0, out=out)
    return {"axpb": numpy_axpb, "damped": numpy_damped, "total": lambda a, out: np.sum(a, out=out),
            "row_sums": lambda a, out: np.sum(a, axis=1, out=out), "column_sums_256": column_sums,
            "column_sums_1024": column_sums, "column_sums_4096": column_sums, "softmax": numpy_softmax,
            "transposed": lambda x, out: np.copyto(out, x.T), "product": lambda a, b, out: np.matmul(a, b, out=out),
            "distances": numpy_distances}


def numexpr_functions():
    import numexpr

    numexpr.set_num_threads(THREADS)
    constants = {"one": np.float32(1), "two": np.float32(2)}

    def elementwise(text):
        return lambda a, b, out: numexpr.evaluate(text, {"a": a, "b": b, **constants}, out=out, casting="same_kind")

    def fold(text):
        def call(a, out):
            out[...] = numexpr.evaluate(text, {"a": a})
        return call

    return {"axpb": elementwise("two * a + b"), "damped": elementwise("exp(-a) * sqrt(b * b + one)"),
            "total": fold("sum(a)"), "row_sums": fold("sum(a, axis=1)"), "column_sums_256": fold("sum(a, axis=0)"),
            "column_sums_1024": fold("sum(a, axis=0)"), "column_sums_4096": fold("sum(a, axis=0)")}


def numba_functions():
    from numba import njit, prange

    @njit(parallel=True)
    def axpb(a, b, out):
        for i in prange(a.size):
            out[i] = np.float32(2) * a[i] + b[i]

    @njit(parallel=True)
    def damped(a, b, out):
        for i in prange(a.size):
            out[i] = math.exp(-a[i]) * math.sqrt(b[i] * b[i] + np.float32(1))

    @njit(parallel=True, fastmath=True)
    def total(a, out):
        s = np.float32(0)
        for i in prange(a.size):
            s += a[i]
        out[()] = s

    @njit(parallel=True, fastmath=True)
    def row_sums(a, out):
        for i in prange(a.shape[0]):
            s = np.float32(0)
            for j in range(a.shape[1]):
                s += a[i, j]
            out[i] = s

    @njit(parallel=True, fastmath=True)
    def column_sums(a, out):
        parts = np.zeros((THREADS, a.shape[1]), np.float32)
        for t in prange(THREADS):
            for i in range(a.shape[0] * t // THREADS, a.shape[0] * (t + 1) // THREADS):
                for j in range(a.shape[1]):
                    parts[t, j] += a[i, j]
        out[:] = 0
        for t in range(THREADS):
            out += parts[t]

    @njit(parallel=True, fastmath=True)
    def softmax(x, out):
        for i in prange(x.shape[0]):
            largest = x[i, 0]
            for j in range(x.shape[1]):
                largest = max(largest, x[i, j])
            s = np.float32(0)
            for j in range(x.shape[1]):
                e = math.exp(x[i, j] - largest)
                out[i, j] = e
                s += e
            for j in range(x.shape[1]):
                out[i, j] /= s

    @njit(parallel=True)
    def transposed(x, out):
        for tile in prange((x.shape[1] + 31) // 32):
            for row in range(0, x.shape[0], 32):
                for c in range(32 * tile, min(32 * tile + 32, x.shape[1])):
                    for r in range(row, min(row + 32, x.shape[0])):
                        out[c, r] = x[r, c]

    @njit(parallel=True, fastmath=True)
    def distances(x, y, out):
        for i in prange(x.shape[0]):
            for j in range(y.shape[0]):
                s = np.float32(0)
                for k in range(x.shape[1]):
                    s += (x[i, k] - y[j, k]) ** 2
                out[i, j] = math.sqrt(s)

    return {"axpb": axpb, "damped": damped, "total": total, "row_sums": row_sums, "column_sums_256": column_sums,
            "column_sums_1024": column_sums, "column_sums_4096": column_sums, "softmax": softmax,
            "transposed": transposed, "distances": distances}


# --- cases ------------------------------------------------------------------------------------------------------------

NUMPY, NUMEXPR, NUMBA, CPP = "NumPy", "numexpr", "Numba parallel", "C++ OpenMP"
SUMS = {NUMPY: 1 / 2, NUMEXPR: 1 / 4, NUMBA: 1 / 0.95}


class Case:
    """`tolerance` is relative: of sums and of exp, which each peer rounds in its own way."""

    def __init__(self, name, what, inputs, result, aims, tolerance):
        self.name, self.what, self.inputs, self.result = name, what, inputs, result
        self.aims, self.tolerance = aims, tolerance


CASES = [
    Case("axpb", "2a + b", [(COUNT,)] * 2, (COUNT,), {NUMPY: 1 / 3, NUMEXPR: 1 / 2.2, NUMBA: 1.0}, 1e-6),
    Case("damped", "exp(-a) sqrt(b² + 1)", [(COUNT,)] * 2, (COUNT,),
         {NUMPY: 1 / 8, NUMEXPR: 1 / 5, NUMBA: 1 / 3, CPP: 1 / 0.9}, 1e-6),
    Case("total", "sum", [(COUNT,)], (), SUMS, 1e-4),
    Case("row_sums", "row sums, 8192 x 4096", [(8192, 4096)], (8192,), SUMS, 1e-4),
    Case("column_sums_256", "column sums, 131072 x 256", [(COUNT // 256, 256)], (256,), SUMS, 1e-3),
    Case("column_sums_1024", "column sums, 32768 x 1024", [(COUNT // 1024, 1024)], (1024,), SUMS, 1e-3),
    Case("column_sums_4096", "column sums, 8192 x 4096", [(COUNT // 4096, 4096)], (4096,), SUMS, 1e-3),
    Case("softmax", "softmax, 2048 x 2048", [(2048, 2048)], (2048, 2048), {NUMPY: 1 / 8}, 1e-5),
    Case("transposed", "transpose, 4096 x 4096", [(4096, 4096)], (4096, 4096), {NUMPY: 1 / 2.5}, 0),
    Case("product", "product, 2048 x 2048 x 2048", [(2048, 2048)] * 2, (2048, 2048), {NUMPY: 1 / 0.7}, 1e-5),
    Case("distances", "distances, 2000 x 2000 x 64", [(2000, 64)] * 2, (2000, 2000), {}, 1e-5),
]


def check(case, name, found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=case.tolerance, atol=0, equal_nan=False,
                               err_msg=f"{case.what}: {name} and ours differ")


def run_case(case, ours, peers, report, folder):
    inputs = [elements(shape, seed) for seed, shape in enumerate(case.inputs)]
    path = os.path.join(folder, "result")

    def result_of(who):
        ours.ms(f"{who} {case.name}")
        ours.ask(f"save {who} {case.name} {path}")
        return np.fromfile(path, "f4").reshape(case.result)

    wanted = result_of("ours")
    competitors = {"ours": lambda: ours.ms(f"ours {case.name}")}
    for name, functions in peers.items():
        if case.name not in functions:
            continue
        call, out = functions[case.name], np.empty(case.result, "f4")
        call(*inputs, out)
        check(case, name, out, wanted)
        competitors[name] = timed(lambda call=call, out=out: call(*inputs, out))
    if case.name != "product":
        check(case, CPP, result_of("twin"), wanted)
        competitors[CPP] = lambda: ours.ms(f"twin {case.name}")
    report.compare(case.what, math.prod(case.inputs[0]), competitors, case.aims, ROUNDS)


def main():
    peers = peer_functions({NUMPY: numpy_functions, NUMEXPR: numexpr_functions, NUMBA: numba_functions})
    ours = Program(sys.argv[1], str(THREADS))
    report = Report("array functions", THREADS)
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            if len(sys.argv) < 5 or case.name in sys.argv[4:]:
                run_case(case, ours, peers, report, folder)
    ours.quit()
    if len(sys.argv) > 3 and sys.argv[3]:
        report.write(sys.argv[3])


main()
