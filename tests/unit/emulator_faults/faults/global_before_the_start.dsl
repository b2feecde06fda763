# A neighbour on the left of an element that has none, twenty to the left.
#   block: 64
#   x: arange f4[10]
#   y: empty f4[64]
#   report: kernel fault: out of bounds read in fault (ld.global.f32, source line 14), block (0, 0, 0), thread
#     (0, 0, 0): 4 bytes at 0x…: 40 bytes before an allocation of 40 bytes at 0x…; it would be x[-10] (x is f4[:] of
#     shape (10,))
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.grid(1)
    y[i] = x[i % 10 - 20]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.grid(1)
    y[i] = x[i % 10 - 10]
