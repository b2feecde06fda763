# Code that trusts the lanes of a warp to go in step.
#   block: 32
#   x: arange f4[32]
#   y: empty f4[1]
#   report: kernel fault: race read in fault (ld.shared.f32, source line 17), block (0, 0, 0), thread (0, 0, 0):
#     offset 64 of shared memory; thread (16, 0, 0) of the same block wrote it in fault (st.shared.f32, source line
#     13), and nothing orders the two
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    t = cuda.shared.array(32, float32)
    i = cuda.threadIdx.x
    t[i] = x[i]
    if i < 16:
        t[i] += t[i + 16]
    if i < 8:
        t[i] += t[i + 8]
    if i == 0:
        y[0] = t[0] + t[1]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    t = cuda.shared.array(32, float32)
    i = cuda.threadIdx.x
    t[i] = x[i]
    cuda.syncwarp()
    if i < 16:
        t[i] += t[i + 16]
    cuda.syncwarp()
    if i < 8:
        t[i] += t[i + 8]
    cuda.syncwarp()
    if i == 0:
        y[0] = t[0] + t[1]
