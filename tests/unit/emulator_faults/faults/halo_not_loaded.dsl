# The tile has a halo that no thread fills.
#   block: 64
#   x: arange f4[64]
#   y: empty f4[64]
#   report: kernel fault: uninitialised value in fault (st.global.f32, source line 17), block (0, 0, 0), thread (0,
#     0, 0): it goes into a result that is stored to global memory; it was read at ld.shared.f32 from offset 0 of
#     shared memory, where nothing has been written
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    t = cuda.shared.array(66, float32)
    i = cuda.threadIdx.x
    t[i + 1] = x[i]
    cuda.syncthreads()
    y[i] = t[i] + t[i + 2]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    t = cuda.shared.array(66, float32)
    i = cuda.threadIdx.x
    t[i + 1] = x[i]
    if i == 0:
        t[0] = 0
        t[65] = 0
    cuda.syncthreads()
    y[i] = t[i] + t[i + 2]
