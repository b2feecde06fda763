# The host forgot to copy the input.
#   block: 32
#   x: empty f4[32]
#   z: ones f4[32]
#   y: empty f4[32]
#   report: kernel fault: uninitialised value in fault (st.global.f32, source line 15), block (0, 0, 0), thread (0,
#     0, 0): it goes into a result that is stored to global memory; it was read at ld.global.f32 from x[0] (x is
#     f4[:]), where nothing has been written
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:], f4[:])")
def fault(x, z, y):
    i = cuda.threadIdx.x
    y[i] = 2 * x[i]


@cuda.jit("void(f4[:], f4[:], f4[:])")
def repaired(x, z, y):
    i = cuda.threadIdx.x
    y[i] = 2 * z[i]
