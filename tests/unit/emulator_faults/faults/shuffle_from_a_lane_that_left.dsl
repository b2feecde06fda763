# Lanes take sums from lanes that do not take part.
#   block: 32
#   x: arange f4[32]
#   y: empty f4[32]
#   report: kernel fault: uninitialised value in fault (st.global.f32, source line 15), block (0, 0, 0), thread (8,
#     0, 0): it goes into a result that is stored to global memory; at shfl.sync.down.b32 it was taken from a lane
#     that did not come
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.threadIdx.x
    if i < 16:
        y[i] = x[i] + cuda.shfl_down_sync(0xffff, x[i], 8)


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.threadIdx.x
    if i < 16:
        other = cuda.shfl_down_sync(0xffff, x[i], 8)
        y[i] = x[i] + (other if i < 8 else float32(0))
