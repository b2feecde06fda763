# The lock is given back before the sum is known to be stored.
#   grid: 3
#   block: 32
#   x: zeros i4[1]
#   f: zeros i4[1]
#   report: kernel fault: race read in fault (ld.global.u32, source line 18), block (1, 0, 0), thread (0, 0, 0):
#     x[0] (x is i4[:]); thread (0, 0, 0) of block (0, 0, 0) wrote it in fault (st.global.u32, source line 18), and
#     nothing orders the two
from numba import cuda, float32


@cuda.jit("void(i4[:], i4[:])")
def fault(x, f):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(f, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        x[0] += 1
        cuda.atomic.exch(f, 0, 0)


@cuda.jit("void(i4[:], i4[:])")
def repaired(x, f):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.cas(f, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        x[0] += 1
        cuda.threadfence()
        cuda.atomic.exch(f, 0, 0)
