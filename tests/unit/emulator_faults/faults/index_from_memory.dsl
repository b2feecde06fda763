# An index that comes from arrays is too large for another one, which lies before them.
#   block: 1
#   y: zeros f4[4]
#   s: zeros i4[4]
#   x: arange i4[4]
#   report: kernel fault: out of bounds write in fault (st.global.u32, source line 14), block (0, 0, 0), thread
#     (0, 0, 0): 4 bytes at 0x…: 10768 bytes behind the end of an allocation of 16 bytes at 0x…; it would be
#     y[5000] (y is f4[:] of shape (4,))
from numba import cuda, float32


@cuda.jit("void(f4[:], i4[:], i4[:])")
def fault(y, s, x):
    y[s[x[1]] + 5000] = 1


@cuda.jit("void(f4[:], i4[:], i4[:])")
def repaired(y, s, x):
    y[s[x[1]]] = 1
