from numba import cuda, float32

TILE = 16

@cuda.jit("void(f4[batch,n,k], f4[batch,k,m], f4[batch,n,m])")
def batched_matmul(A, B, C):
    a = cuda.shared.array((TILE, TILE), float32)
    b = cuda.shared.array((TILE, TILE), float32)
    column, row, layer = cuda.grid(3)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    rows, columns, length = C.shape[1], C.shape[2], A.shape[2]
    total = float32(0)
    for first in range(0, length, TILE):
        width = min(TILE, length - first)
        if row < rows and tx < width:
            a[ty, tx] = A[layer, row, first + tx]
        if column < columns and ty < width:
            b[ty, tx] = B[layer, first + ty, column]
        cuda.syncthreads()
        if row < rows and column < columns:
            for k in range(width):
                total += a[ty, k] * b[k, tx]
        cuda.syncthreads()
    if row < rows and column < columns:
        C[layer, row, column] = total
