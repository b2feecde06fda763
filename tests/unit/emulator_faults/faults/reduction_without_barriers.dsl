# The tree of sums goes on before the level below is done.
#   block: 64
#   x: arange f4[64]
#   y: empty f4[64]
#   report: kernel fault: race read in fault (ld.shared.f32, source line 20), block (0, 0, 0), thread (0, 0, 0):
#     offset 64 of shared memory; thread (16, 0, 0) of the same block wrote it in fault (st.shared.f32, source line
#     20), and nothing orders the two
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    t[i] = x[i]
    cuda.syncthreads()
    step = 32
    while step > 0:
        if i < step:
            t[i] += t[i + step]
        step //= 2
    if i == 0:
        y[0] = t[0]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    t[i] = x[i]
    cuda.syncthreads()
    step = 32
    while step > 0:
        if i < step:
            t[i] += t[i + step]
        cuda.syncthreads()
        step //= 2
    if i == 0:
        y[0] = t[0]
