# Each block writes its number where all do.
#   grid: 4
#   block: 32
#   y: empty i4[4]
#   report: kernel fault: race write in fault (st.global.u32, source line 14), block (1, 0, 0), thread (0, 0, 0):
#     y[0] (y is i4[:]); thread (0, 0, 0) of block (0, 0, 0) wrote it in fault (st.global.u32, source line 14), and
#     nothing orders the two
from numba import cuda, float32


@cuda.jit("void(i4[:])")
def fault(y):
    if cuda.threadIdx.x == 0:
        y[0] = cuda.blockIdx.x


@cuda.jit("void(i4[:])")
def repaired(y):
    if cuda.threadIdx.x == 0:
        y[cuda.blockIdx.x] = cuda.blockIdx.x
