# Atomic sums need a first value.
#   block: 32
#   x: ones f4[32]
#   y: empty f4[1]
#   report: kernel fault: uninitialised value in fault (atom.global.add.f32, source line 13), block (0, 0, 0),
#     thread (0, 0, 0): it is what an atomic operation begins with; it was read at atom.global.add.f32 from y[0] (y
#     is f4[:]), where nothing has been written
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    cuda.atomic.add(y, 0, x[cuda.threadIdx.x])


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    if cuda.threadIdx.x == 0:
        y[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(y, 0, x[cuda.threadIdx.x])
