# Transpose of a matrix through a tile, so that rows are read and rows are written: neighbouring threads then access
# neighbouring elements both times. The tile's rows are one element longer than needed, so that the threads that read one of
# its columns use different banks of shared memory.
#
#   jitc run transpose.dsl --arg A=random:f4[70,45]:seed=4 --arg B=empty:f4[45,70] --grid 2,3 --block 32,8 --print B
from numba import cuda, float32

TILE = 32
ROWS = 8  # rows of threads; each thread moves TILE / ROWS elements


@cuda.jit("void(f4[n,m], f4[m,n])")
def transpose(A, B):
    tile = cuda.shared.array((TILE, TILE + 1), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for r in range(ty, TILE, ROWS):
        if row + r < A.shape[0] and column + tx < A.shape[1]:
            tile[r, tx] = A[row + r, column + tx]
    cuda.syncthreads()
    for r in range(ty, TILE, ROWS):
        if column + r < B.shape[0] and row + tx < B.shape[1]:
            B[column + r, row + tx] = tile[tx, r]
