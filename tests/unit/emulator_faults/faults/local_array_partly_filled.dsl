# A sum over a local array of which one element was not written.
#   block: 32
#   x: arange f4[32]
#   y: empty f4[32]
#   report: kernel fault: uninitialised value in fault (st.global.f32, source line 20), block (0, 0, 0), thread (0,
#     0, 0): it goes into a result that is stored to global memory; it was read at ld.local.f32 from offset 28 of
#     local memory, where nothing has been written
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    a = cuda.local.array(8, float32)
    i = cuda.threadIdx.x
    for k in range(7):
        a[(k + i) % 8] = x[i]
    total = float32(0)
    for k in range(8):
        total += a[(k + 3 * i) % 8]
    y[i] = total


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    a = cuda.local.array(8, float32)
    i = cuda.threadIdx.x
    for k in range(8):
        a[(k + i) % 8] = x[i]
    total = float32(0)
    for k in range(8):
        total += a[(k + 3 * i) % 8]
    y[i] = total
