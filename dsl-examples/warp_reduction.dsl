# Sum of each row of a matrix by one warp: lanes add up their share of the row and then exchange sums by shuffles, without
# shared memory and without barriers.
#
#   jitc run warp_reduction.dsl --arg X=random:f4[10,100]:seed=3 --arg sums=empty:f4[10] --grid 3 --block 128 --print sums
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit(device=True)
def warp_sum(value):
    lanes = 16
    while lanes > 0:
        value += cuda.shfl_down_sync(FULL, value, lanes)
        lanes //= 2
    return value


@cuda.jit("void(f4[rows,columns], f4[rows])")
def warp_reduction(X, sums):
    row = cuda.grid(1) // cuda.warpsize
    if row < X.shape[0]:
        total = 0.0
        for column in range(cuda.laneid, X.shape[1], cuda.warpsize):
            total += X[row, column]
        total = warp_sum(total)
        if cuda.laneid == 0:
            sums[row] = total
