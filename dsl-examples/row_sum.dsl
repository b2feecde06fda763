# The sums of the rows of each matrix, by a device function that is given one row at a time.
#
#   jitc run row_sum.dsl --arg X=arange:f4[3,4] --print
#   jitc run row_sum.dsl --arg X=random:f4[10,20,30]:seed=2 --print
from numba import f4, guvectorize


def total(row):
    out = f4(0)
    for value in row:
        out += value
    return out


@guvectorize(["void(f4[:,:], f4[:])"], "(m,n)->(m)")
def row_sum(X, sums):
    for i in range(X.shape[0]):
        sums[i] = total(X[i])
