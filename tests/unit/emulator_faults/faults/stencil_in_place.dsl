# A stencil that overwrites what its neighbours have yet to read.
#   block: 64
#   x: arange f4[66]
#   report: kernel fault: race write in fault (st.global.f32, source line 13), block (0, 0, 0), thread (0, 0, 0):
#     x[1] (x is f4[:] of shape (66,)); thread (1, 0, 0) of the same block read it in fault (ld.global.f32, source
#     line 13), and nothing orders the two
from numba import cuda, float32


@cuda.jit("void(f4[:])")
def fault(x):
    i = cuda.threadIdx.x + 1
    x[i] = (x[i - 1] + x[i + 1]) / 2


@cuda.jit("void(f4[:])")
def repaired(x):
    i = cuda.threadIdx.x + 1
    new = (x[i - 1] + x[i + 1]) / 2
    cuda.syncthreads()
    x[i] = new
