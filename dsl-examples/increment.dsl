# Adds one to every element in place: the shortest kernel with an index of one and of two dimensions.
# Both have a signature for f4 and one for i4; the arrays of the launch choose.
#
#   jitc run increment.dsl increment_1d --arg a=arange:f4[10] --print a
#   jitc run increment.dsl increment_2d --arg a=full:41:i4[3,5] --print a
from numba import cuda


@cuda.jit(["void(f4[:])", "void(i4[:])"])
def increment_1d(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


@cuda.jit(["void(f4[:,:])", "void(i4[:,:])"])
def increment_2d(a):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] += 1
