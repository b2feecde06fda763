# The output has fewer rows than the launch has threads along y.
#   block: 8,8
#   x: arange f4[8,8]
#   y: empty f4[6,8]
#   report: kernel fault: out of bounds write in fault (st.global.f32, source line 14), block (0, 0, 0), thread (0,
#     6, 0): 4 bytes at 0x…: right behind the end of an allocation of 192 bytes at 0x…; it would be y[6, 0] (y is
#     f4[:,:])
from numba import cuda, float32


@cuda.jit("void(f4[:,:], f4[:,:])")
def fault(x, y):
    j, i = cuda.grid(2)
    y[i, j] = x[i, j] * 2


@cuda.jit("void(f4[:,:], f4[:,:])")
def repaired(x, y):
    j, i = cuda.grid(2)
    if i < y.shape[0]:
        y[i, j] = x[i, j] * 2
