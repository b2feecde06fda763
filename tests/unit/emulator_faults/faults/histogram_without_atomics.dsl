# Two threads count in the same bin.
#   block: 32
#   x: arange i4[32]
#   y: zeros i4[8]
#   report: kernel fault: race write in fault (st.global.u32, source line 14), block (0, 0, 0), thread (0, 0, 0):
#     y[0] (y is i4[:] of shape (8,)); thread (24, 0, 0) of the same block read it in fault (ld.global.u32, source
#     line 14), and nothing orders the two
from numba import cuda, float32


@cuda.jit("void(i4[:], i4[:])")
def fault(x, y):
    i = cuda.grid(1)
    y[x[i] % 8] += 1


@cuda.jit("void(i4[:], i4[:])")
def repaired(x, y):
    i = cuda.grid(1)
    cuda.atomic.add(y, x[i] % 8, 1)
