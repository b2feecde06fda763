# A barrier of the block does not keep the other blocks out.
#   grid: 2
#   block: 32
#   x: arange f4[66]
#   z: empty f4[66]
#   report: kernel fault: race read in fault (ld.global.f32, source line 15), block (1, 0, 0), thread (0, 0, 0):
#     x[32] (x is f4[:] of shape (66,)); thread (31, 0, 0) of block (0, 0, 0) wrote it in fault (st.global.f32,
#     source line 17), and nothing orders the two
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, z):
    i = cuda.grid(1) + 1
    new = (x[i - 1] + x[i + 1]) / 2
    cuda.syncthreads()
    x[i] = new


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, z):
    i = cuda.grid(1) + 1
    z[i] = (x[i - 1] + x[i + 1]) / 2
