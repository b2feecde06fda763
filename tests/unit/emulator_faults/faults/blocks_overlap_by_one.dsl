# Each block fills one element more than is its own.
#   grid: 3
#   block: 33
#   y: empty i4[97]
#   report: kernel fault: race write in fault (st.global.u32, source line 14), block (1, 0, 0), thread (0, 0, 0):
#     y[32] (y is i4[:]); thread (32, 0, 0) of block (0, 0, 0) wrote it in fault (st.global.u32, source line 14), and
#     nothing orders the two
from numba import cuda, float32


@cuda.jit("void(i4[:])")
def fault(y):
    i = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    y[i] = i * 3 + cuda.threadIdx.x


@cuda.jit("void(i4[:])")
def repaired(y):
    i = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    if cuda.threadIdx.x < 32:
        y[i] = i * 3 + cuda.threadIdx.x
