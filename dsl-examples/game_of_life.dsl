# One generation of Conway's game of life on a torus. A live cell stays alive with two or three live neighbours; a dead one
# comes alive with three.
#
#   jitc run game_of_life.dsl --arg cells=random:u1[30,45]:low=0:high=2:seed=8 --arg out=empty:u1[30,45] --grid 3,2 --block 16,16 --print out
from numba import cuda, uint8

TILE = 16


@cuda.jit(device=True)
def cell(cells, row, column):
    return cells[row % cells.shape[0], column % cells.shape[1]]


@cuda.jit("void(u1[n,m], u1[n,m])")
def game_of_life(cells, out):
    near = cuda.shared.array((TILE + 2, TILE + 2), uint8)
    first_row = cuda.blockIdx.y * TILE - 1
    first_column = cuda.blockIdx.x * TILE - 1
    for place in range(cuda.threadIdx.y * TILE + cuda.threadIdx.x, (TILE + 2) * (TILE + 2), TILE * TILE):
        r, c = divmod(place, TILE + 2)
        near[r, c] = cell(cells, first_row + r, first_column + c)
    cuda.syncthreads()
    column, row = cuda.grid(2)
    if row < cells.shape[0] and column < cells.shape[1]:
        y, x = cuda.threadIdx.y, cuda.threadIdx.x
        alive = 0
        for dy in range(3):
            for dx in range(3):
                alive += near[y + dy, x + dx]
        alive -= near[y + 1, x + 1]
        out[row, column] = alive == 3 or (alive == 2 and near[y + 1, x + 1] == 1)
