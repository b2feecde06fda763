# The last block sums what others may not have stored yet.
#   grid: 4
#   block: 32
#   y: zeros i4[4]
#   z: zeros i4[4]
#   f: zeros i4[1]
#   report: kernel fault: race read in fault (ld.global.u32, source line 23), block (3, 0, 0), thread (0, 0, 0):
#     y[0] (y is i4[:]); thread (0, 0, 0) of block (0, 0, 0) wrote it in fault (st.global.u32, source line 18), and
#     nothing orders the two
from numba import cuda, int32


@cuda.jit("void(i4[:], i4[:], i4[:])")
def fault(y, z, f):
    t = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if i == 0:
        y[cuda.blockIdx.x] = cuda.blockIdx.x + 1
        t[0] = cuda.atomic.add(f, 0, 1)
        cuda.threadfence()
    cuda.syncthreads()
    if t[0] == cuda.gridDim.x - 1 and i < cuda.gridDim.x:
        z[i] = y[i]


@cuda.jit("void(i4[:], i4[:], i4[:])")
def repaired(y, z, f):
    t = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if i == 0:
        y[cuda.blockIdx.x] = cuda.blockIdx.x + 1
        cuda.threadfence()
        t[0] = cuda.atomic.add(f, 0, 1)
        cuda.threadfence()
    cuda.syncthreads()
    if t[0] == cuda.gridDim.x - 1 and i < cuda.gridDim.x:
        z[i] = y[i]
