# Every second element was written, and all are summed.
#   block: 32
#   x: empty f4[64]
#   y: zeros f4[1]
#   report: kernel fault: uninitialised value in fault (st.global.f32, source line 20), block (0, 0, 0), thread (0,
#     0, 0): it goes into a result that is stored to global memory; it was read at ld.global.f32 from x[1] (x is
#     f4[:] of shape (64,)), where nothing has been written
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.threadIdx.x
    x[2 * i] = 1
    cuda.syncthreads()
    if i == 0:
        total = float32(0)
        for k in range(x.size):
            total += x[k]
        y[0] = total


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.threadIdx.x
    x[2 * i] = 1
    x[2 * i + 1] = 1
    cuda.syncthreads()
    if i == 0:
        total = float32(0)
        for k in range(x.size):
            total += x[k]
        y[0] = total
