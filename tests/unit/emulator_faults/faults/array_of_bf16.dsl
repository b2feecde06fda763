# The type of the elements is bfloat16, whose name counts bits.
#   block: 8
#   x: zeros u2[4]
#   report: kernel fault: out of bounds write in fault (st.global.u16, source line 13), block (0, 0, 0), thread
#     (4, 0, 0): 2 bytes at 0x…: right behind the end of an allocation of 8 bytes at 0x…; it would be x[4] (x is
#     bf16[:])
from numba import cuda


@cuda.jit("void(bf16[:])")
def fault(x):
    i = cuda.grid(1)
    x[i] = 1


@cuda.jit("void(bf16[:])")
def repaired(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 1
