import math
from numba import cuda, float32

THREADS = 256

# One block for each row: maximum and sum by a tree in shared memory.
@cuda.jit("void(f4[rows,columns], f4[rows,columns])")
def softmax(x, out):
    partial = cuda.shared.array(THREADS, float32)
    row, tid = cuda.blockIdx.x, cuda.threadIdx.x
    columns = x.shape[1]
    largest = float32(-math.inf)
    for j in range(tid, columns, THREADS):
        largest = max(largest, x[row, j])
    partial[tid] = largest
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if tid < half:
            partial[tid] = max(partial[tid], partial[tid + half])
        cuda.syncthreads()
        half //= 2
    largest = partial[0]
    cuda.syncthreads()
    total = float32(0)
    for j in range(tid, columns, THREADS):
        e = math.exp(x[row, j] - largest)
        out[row, j] = e
        total += e
    partial[tid] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if tid < half:
            partial[tid] += partial[tid + half]
        cuda.syncthreads()
        half //= 2
    total = partial[0]
    for j in range(tid, columns, THREADS):
        out[row, j] /= total
