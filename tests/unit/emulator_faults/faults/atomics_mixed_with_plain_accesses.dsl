# One thread clears the sum while others add to it.
#   block: 64
#   x: ones i4[64]
#   y: empty i4[1]
#   report: kernel fault: race read in fault (ld.shared.u32, source line 20), block (0, 0, 0), thread (0, 0, 0):
#     offset 0 of shared memory; thread (30, 0, 0) of the same block wrote it in fault (atom.shared.add.u32, source
#     line 13), and nothing orders the two
from numba import cuda, int32


@cuda.jit("void(i4[:], i4[:])")
def fault(x, y):
    t = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if i == 0:
        t[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(t, 0, x[i])
    if i == 0:
        y[0] = t[0]


@cuda.jit("void(i4[:], i4[:])")
def repaired(x, y):
    t = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if i == 0:
        t[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(t, 0, x[i])
    cuda.syncthreads()
    if i == 0:
        y[0] = t[0]
