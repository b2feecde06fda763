"""Arithmetic that NumPy lacks: fused multiply-add, and distance in units in the last place."""

import ctypes
import ctypes.util

import numpy as np

_libm = ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")
_libm.fma.restype, _libm.fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
_libm.fmaf.restype, _libm.fmaf.argtypes = ctypes.c_float, [ctypes.c_float] * 3
_fma = {np.dtype("f8"): np.frompyfunc(_libm.fma, 3, 1), np.dtype("f4"): np.frompyfunc(_libm.fmaf, 3, 1)}


def fma(a, b, c):
    """a * b + c, rounded once (the C library's fma is exact), in the arguments' common type."""
    dtype = np.result_type(a, b, c)
    return np.asarray(_fma[dtype](a, b, c)).astype(dtype)


def ulp_distance(got, want):
    """Largest |got - want| in units in the last place of `want`, which may be of a wider type than `got`."""
    unit = np.spacing(np.abs(want.astype(got.dtype))).astype(np.float64)
    return float(np.max(np.abs(got.astype(np.float64) - want.astype(np.float64)) / unit, initial=0.0))
