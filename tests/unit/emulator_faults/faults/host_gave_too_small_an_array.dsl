# The host passes a result with fewer elements than its input.
#   block: 32
#   x: arange f4[32]
#   y: empty f4[16]
#   report: kernel fault: out of bounds write in fault (st.global.f32, source line 15), block (0, 0, 0), thread
#     (16, 0, 0): 4 bytes at 0x…: right behind the end of an allocation of 64 bytes at 0x…; it would be y[16] (y is
#     f4[:])
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.grid(1)
    if i < min(x.size, y.size):
        y[i] = x[i]
