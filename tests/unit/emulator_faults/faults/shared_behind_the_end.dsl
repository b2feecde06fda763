# A tile with a halo on one side only.
#   block: 64
#   x: arange f4[64]
#   y: empty f4[64]
#   report: kernel fault: out of bounds write in fault (st.shared.f32, source line 12), block (0, 0, 0), thread
#     (63, 0, 0): 4 bytes at offset 256 of shared memory, which has 256 bytes
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    t = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    t[i + 1] = x[i]
    cuda.syncthreads()
    y[i] = t[i + 1]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    t = cuda.shared.array(65, float32)
    i = cuda.threadIdx.x
    t[i + 1] = x[i]
    cuda.syncthreads()
    y[i] = t[i + 1]
