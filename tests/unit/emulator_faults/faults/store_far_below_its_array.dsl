# A store to one array, from an index that is right for none.
#   block: 4
#   x: arange f4[64]
#   y: empty f4[64]
#   report: kernel fault: out of bounds write in fault (st.global.f32, source line 15), block (0, 0, 0), thread
#     (0, 0, 0): 4 bytes at 0x…: 1808 bytes behind the end of an allocation of 256 bytes at 0x…; it would be
#     y[-636] (y is f4[:] of shape (64,))
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.grid(1)
    if i < x.size and i < y.size:
        y[i - 700] = x[i]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.grid(1)
    if i < x.size and i < y.size:
        y[i] = x[i]
