# Two numbers share a word, and only one of them was written.
#   block: 8
#   x: empty i2[16]
#   y: zeros i2[16]
#   report: kernel fault: uninitialised value in fault (st.global.u16, source line 16), block (0, 0, 0), thread (0,
#     0, 0): it goes into a result that is stored to global memory; it was read at ld.global.u16 from x[1] (x is
#     i2[:]), where nothing has been written
from numba import cuda, float32


@cuda.jit("void(i2[:], i2[:])")
def fault(x, y):
    i = cuda.threadIdx.x
    x[2 * i] = i
    y[2 * i] = x[2 * i] + 1
    y[2 * i + 1] = x[2 * i + 1] + 1


@cuda.jit("void(i2[:], i2[:])")
def repaired(x, y):
    i = cuda.threadIdx.x
    x[2 * i] = i
    y[2 * i] = x[2 * i] + 1
    y[2 * i + 1] = x[2 * i] + 1
