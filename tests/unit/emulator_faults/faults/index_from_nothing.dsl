# An index list that was never filled.
#   block: 32
#   x: arange f4[32]
#   k: empty i4[32]
#   y: empty f4[32]
#   report: kernel fault: uninitialised value in fault (ld.global.f32, source line 15), block (0, 0, 0), thread (0,
#     0, 0): it is used as an address; it was read at ld.global.u32 from k[0] (k is i4[:]), where nothing has been
#     written
from numba import cuda, float32


@cuda.jit("void(f4[:], i4[:], f4[:])")
def fault(x, k, y):
    i = cuda.threadIdx.x
    y[i] = x[k[i] & 31]


@cuda.jit("void(f4[:], i4[:], f4[:])")
def repaired(x, k, y):
    i = cuda.threadIdx.x
    k[i] = 31 - i
    y[i] = x[k[i] & 31]
