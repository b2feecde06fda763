# The mean of each row. A gufunc sees the last axis of X, whatever axes stand before it, and gives one element for it.
#
#   jitc run row_mean.dsl --arg X=random:f8[1000,50]:seed=1 --print
#   jitc run row_mean.dsl --arg X=arange:f4[2,3,4] --print
from numba import guvectorize


@guvectorize(["void(f4[:], f4[:])", "void(f8[:], f8[:])"], "(n)->()")
def row_mean(X, mean):
    total = 0.0
    for i in range(X.size):
        total += X[i]
    mean[0] = total / X.size
