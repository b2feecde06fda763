# A flag in shared memory that is set on one way only.
#   block: 32
#   x: zeros i4[32]
#   y: zeros i4[32]
#   report: kernel fault: uninitialised value in fault (bra, source line 17), block (0, 0, 0), thread (0, 0, 0): it
#     decides a branch; it was read at ld.shared.u32 from offset 0 of shared memory, where nothing has been written
from numba import cuda, int32


@cuda.jit("void(i4[:], i4[:])")
def fault(x, y):
    t = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if x[0] > 0 and i == 0:
        t[0] = x[1]
    cuda.syncthreads()
    if t[0] == 1:
        y[i] = 1


@cuda.jit("void(i4[:], i4[:])")
def repaired(x, y):
    t = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if i == 0:
        t[0] = x[1] if x[0] > 0 else 0
    cuda.syncthreads()
    if t[0] == 1:
        y[i] = 1
