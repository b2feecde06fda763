# A histogram with one bin too few.
#   block: 32
#   x: arange i4[32]
#   y: zeros i4[31]
#   report: kernel fault: out of bounds write in fault (atom.global.add.u32, source line 14), block (0, 0, 0),
#     thread (31, 0, 0): 4 bytes at 0x…: right behind the end of an allocation of 124 bytes at 0x…; it would be y[31]
#     (y is i4[:] of shape (31,))
from numba import cuda, float32


@cuda.jit("void(i4[:], i4[:])")
def fault(x, y):
    i = cuda.grid(1)
    cuda.atomic.add(y, x[i], 1)


@cuda.jit("void(i4[:], i4[:])")
def repaired(x, y):
    i = cuda.grid(1)
    cuda.atomic.add(y, x[i] % y.size, 1)
