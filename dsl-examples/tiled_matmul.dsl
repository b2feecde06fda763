# Product of two matrices of any sizes through shared memory: a block of 16 × 16 threads loads a tile of A and a tile of B
# together, each element once, and then multiplies from the tiles. Elements outside of the matrices are loaded as zeros.
#
#   jitc run tiled_matmul.dsl matmul_f4 --arg A=random:f4[37,53]:seed=1 --arg B=random:f4[53,29]:seed=2 --arg C=empty:f4[37,29] --grid 2,3 --block 16,16 --print C
#   jitc run tiled_matmul.dsl matmul_f8 --arg A=random:f8[20,33]:seed=3 --arg B=random:f8[33,40]:seed=4 --arg C=empty:f8[20,40] --grid 3,2 --block 16,16
# At full size (this one is not a test; --time shows the parts):
#     jitc run tiled_matmul.dsl matmul_f4 --arg A=random:f4[800,800]:seed=1 --arg B=random:f4[800,800]:seed=2 --arg C=empty:f4[800,800] --grid 50,50 --block 16,16 --time
from numba import cuda, float32, float64

TILE = 16


@cuda.jit("void(f4[n,k], f4[k,m], f4[n,m])")
def matmul_f4(A, B, C):
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


@cuda.jit("void(f8[n,k], f8[k,m], f8[n,m])")
def matmul_f8(A, B, C):
    a = cuda.shared.array((TILE, TILE), float64)
    b = cuda.shared.array((TILE, TILE), float64)
    column, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = 0.0
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
