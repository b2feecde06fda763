# The launch gives less dynamic shared memory than the kernel uses.
#   block: 64
#   shared: 192
#   x: arange f4[48]
#   y: empty f4[64]
#   report: kernel fault: out of bounds write in fault (st.shared.f32, source line 13), block (0, 0, 0), thread
#     (48, 0, 0): 4 bytes at offset 192 of shared memory, which has 192 bytes
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    t = cuda.shared.array(0, float32)
    i = cuda.threadIdx.x
    t[i] = x[i % 48]
    cuda.syncthreads()
    y[i] = t[i]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    t = cuda.shared.array(0, float32)
    i = cuda.threadIdx.x
    if i < 48:
        t[i] = x[i]
    cuda.syncthreads()
    y[i] = t[i % 48]
