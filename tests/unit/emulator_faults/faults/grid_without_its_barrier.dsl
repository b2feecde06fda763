# The second phase reads what other blocks write in the first.
#   grid: 4
#   block: 32
#   cooperative: yes
#   x: zeros f4[128]
#   y: empty f4[128]
#   report: kernel fault: race write in fault (st.global.f32, source line 17), block (2, 0, 0), thread (0, 0, 0):
#     x[64] (x is f4[:] of shape (128,)); thread (31, 0, 0) of block (1, 0, 0) read it in fault (ld.global.f32,
#     source line 19), and nothing orders the two
from numba import cuda
from numba.cuda import cg


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    i = cuda.grid(1)
    x[i] = i
    cuda.syncthreads()
    y[i] = x[127 - i]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    i = cuda.grid(1)
    x[i] = i
    cg.this_grid().sync()
    y[i] = x[127 - i]
