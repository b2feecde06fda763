# An index so far below 0 that counting from the end does not help.
#   block: 32
#   x: arange f4[32]
#   report: kernel fault: out of bounds read in fault (ld.shared.f32, source line 15), block (0, 0, 0), thread
#     (0, 0, 0): 4 bytes at offset -16 of shared memory, which has 128 bytes
from numba import cuda, float32


@cuda.jit("void(f4[:])")
def fault(x):
    tile = cuda.shared.array(32, dtype=float32)
    i = cuda.threadIdx.x
    tile[i] = x[i]
    cuda.syncthreads()
    x[i] = tile[i - 36]


@cuda.jit("void(f4[:])")
def repaired(x):
    tile = cuda.shared.array(32, dtype=float32)
    i = cuda.threadIdx.x
    tile[i] = x[i]
    cuda.syncthreads()
    x[i] = tile[max(i - 4, 0)]
