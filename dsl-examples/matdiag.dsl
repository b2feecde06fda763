# C = A · diag(d): column j of A times d[j]. Grid-stride loops, so a grid of any size covers a matrix of any size;
# here 16 × 16 blocks of 16 × 16 threads make about 16 turns each over a million elements.
#
#   jitc run matdiag.dsl --arg A=random:f4[1000,1000]:seed=7 --arg d=arange:f4[1000] --arg C=empty:f4[1000,1000] --grid 16,16 --block 16,16 --print C
from numba import cuda


@cuda.jit("void(f4[:,:], f4[:], f4[:,:])")
def matdiag(A, d, C):
    first_row, first_column = cuda.grid(2)
    row_step, column_step = cuda.gridsize(2)
    for i in range(first_row, C.shape[0], row_step):
        for j in range(first_column, C.shape[1], column_step):
            C[i, j] = A[i, j] * d[j]
