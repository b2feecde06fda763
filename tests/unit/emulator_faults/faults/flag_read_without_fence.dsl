# Who sees the flag may still have old data: a fence is missing behind the loop.
#   grid: 2
#   block: 32
#   x: zeros i4[1]
#   y: empty i4[1]
#   f: zeros i4[1]
#   report: kernel fault: race read in fault (ld.global.u32, source line 23), block (1, 0, 0), thread (0, 0, 0):
#     x[0] (x is i4[:]); thread (0, 0, 0) of block (0, 0, 0) wrote it in fault (st.global.u32, source line 17), and
#     nothing orders the two
from numba import cuda, float32


@cuda.jit("void(i4[:], i4[:], i4[:])")
def fault(x, y, f):
    if cuda.threadIdx.x == 0:
        if cuda.blockIdx.x == 0:
            x[0] = 42
            cuda.threadfence()
            cuda.atomic.exch(f, 0, 1)
        else:
            while cuda.atomic.add(f, 0, 0) == 0:
                pass
            y[0] = x[0]


@cuda.jit("void(i4[:], i4[:], i4[:])")
def repaired(x, y, f):
    if cuda.threadIdx.x == 0:
        if cuda.blockIdx.x == 0:
            x[0] = 42
            cuda.threadfence()
            cuda.atomic.exch(f, 0, 1)
        else:
            while cuda.atomic.add(f, 0, 0) == 0:
                pass
            cuda.threadfence()
            y[0] = x[0]
