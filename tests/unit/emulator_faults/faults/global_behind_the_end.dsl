# The last threads go beyond the array: no guard.
#   grid: 2
#   block: 64
#   x: arange f4[100]
#   y: empty f4[100]
#   report: kernel fault: out of bounds read in fault (ld.global.f32, source line 15), block (1, 0, 0), thread
#     (36, 0, 0): 4 bytes at 0x…: right behind the end of an allocation of 400 bytes at 0x…; it would be x[100] (x is
#     f4[:])
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.grid(1)
    y[i] = x[i] + 1


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] + 1
