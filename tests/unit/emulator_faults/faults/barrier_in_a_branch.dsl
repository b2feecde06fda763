# Only one warp comes to the barrier while the other waits at a later one.
#   block: 64
#   checks: none
#   x: arange f4[64]
#   y: empty f4[64]
#   report: kernel fault: no thread can go on, block (0, 0, 0); threads: 32 wait at a barrier in fault (bar.sync, source line
#     15), the first is (0, 0, 0); 32 wait at a barrier in fault (bar.sync, source line 18), the first is (1, 0, 0)
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.threadIdx.x
    if i % 2 == 0:
        cuda.syncthreads()
        y[i] = x[i]
    else:
        cuda.syncthreads()
        y[i] = -x[i]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.threadIdx.x
    cuda.syncthreads()
    if i % 2 == 0:
        y[i] = x[i]
    else:
        y[i] = -x[i]
