from numba import cuda, float32

TILE = 16

@cuda.jit("void(f4[n,k], f4[k,m], f4[n,m])")
def tiled_matmul(A, B, C):
    a = cuda.shared.array((TILE, TILE), float32)
    b = cuda.shared.array((TILE, TILE), float32)
    column, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for tile in range((A.shape[1] + TILE - 1) // TILE):
        inner = tile * TILE
        a[ty, tx] = A[row, inner + tx] if row < A.shape[0] and inner + tx < A.shape[1] else 0
        b[ty, tx] = B[inner + ty, column] if inner + ty < B.shape[0] and column < B.shape[1] else 0
        cuda.syncthreads()
        for k in range(TILE):
            total += a[ty, k] * b[k, tx]
        cuda.syncthreads()
    if row < C.shape[0] and column < C.shape[1]:
        C[row, column] = total
