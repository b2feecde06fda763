# The barrier stands before the tile is filled.
#   block: 64
#   checks: race
#   x: arange f4[64]
#   y: empty f4[64]
#   report: kernel fault: race write in fault (st.shared.f32, source line 14), block (0, 0, 0), thread (32, 0, 0):
#     offset 128 of shared memory; thread (31, 0, 0) of the same block read it in fault (ld.shared.f32, source line
#     18), and nothing orders the two
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    cuda.syncthreads()
    t[i] = x[i]
    y[i] = t[63 - i]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    t[i] = x[i]
    cuda.syncthreads()
    y[i] = t[63 - i]
