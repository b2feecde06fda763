# One step of Jacobi's iteration for Laplace's equation. A block loads its part of the grid and one row or column more on
# each side (the halo) into shared memory; the border of the whole grid keeps its values.
#
#   jitc run laplace.dsl --arg u=random:f8[40,50]:seed=2 --arg out=zeros:f8[40,50] --grid 4,3 --block 16,16 --print out
from numba import cuda, float64

TILE = 16


@cuda.jit("void(f8[n,m], f8[n,m])")
def laplace(u, out):
    near = cuda.shared.array((TILE + 2, TILE + 2), float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    rows, columns = u.shape
    if row < rows and column < columns:
        near[ty + 1, tx + 1] = u[row, column]
        if ty == 0 and row > 0:
            near[0, tx + 1] = u[row - 1, column]
        if ty == TILE - 1 and row + 1 < rows:
            near[TILE + 1, tx + 1] = u[row + 1, column]
        if tx == 0 and column > 0:
            near[ty + 1, 0] = u[row, column - 1]
        if tx == TILE - 1 and column + 1 < columns:
            near[ty + 1, TILE + 1] = u[row, column + 1]
    cuda.syncthreads()
    if row < rows and column < columns:
        if 0 < row < rows - 1 and 0 < column < columns - 1:
            vertical = near[ty, tx + 1] + near[ty + 2, tx + 1]
            out[row, column] = 0.25 * (vertical + (near[ty + 1, tx] + near[ty + 1, tx + 2]))
        else:
            out[row, column] = u[row, column]
