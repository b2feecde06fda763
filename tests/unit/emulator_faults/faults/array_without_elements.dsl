# An array without elements has no address; the kernel does not ask for its size.
#   block: 4
#   x: null f4[0]
#   y: empty f4[4]
#   report: kernel fault: out of bounds read in fault (ld.global.f32, source line 13), block (0, 0, 0), thread
#     (0, 0, 0): 4 bytes at 0x…: near the null pointer; it would be x[0] (x is f4[:])
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.grid(1)
    y[i] = x[i]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]
