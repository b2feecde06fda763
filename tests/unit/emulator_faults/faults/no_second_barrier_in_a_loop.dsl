# The next round overwrites what others still read.
#   block: 64
#   x: arange f4[64]
#   y: empty f4[64]
#   report: kernel fault: race read in fault (ld.shared.f32, source line 19), block (0, 0, 0), thread (32, 0, 0):
#     offset 124 of shared memory; thread (31, 0, 0) of the same block wrote it in fault (st.shared.f32, source line
#     13), and nothing orders the two
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    total = float32(0)
    for step in range(4):
        t[i] = x[(i + step) % 64]
        cuda.syncthreads()
        total += t[63 - i]
    y[i] = total


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    total = float32(0)
    for step in range(4):
        t[i] = x[(i + step) % 64]
        cuda.syncthreads()
        total += t[63 - i]
        cuda.syncthreads()
    y[i] = total
