# Arithmetic of intervals: what is known of a number is a lower and an upper bound, and results have bounds that hold in
# spite of all roundings, because libdevice rounds each operation down or up. Here the geometric mean of two positive
# intervals, sqrt(a b), on every target with the same bits.
#
#   jitc run interval.dsl --arg a=random:f4[200,2]:seed=1:low=1:high=3 --arg b=random:f4[200,2]:seed=2:low=0.1:high=9 --arg mean=zeros:f4[200,2] --grid 2 --block 128 --print
from numba import cuda
from numba.cuda import libdevice


@cuda.jit(device=True)
def ordered(row):
    return min(row[0], row[1]), max(row[0], row[1])


@cuda.jit("void(f4[:,:], f4[:,:], f4[:,:])")
def interval(a, b, mean):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a_low, a_high = ordered(a[i])
        b_low, b_high = ordered(b[i])
        mean[i, 0] = libdevice.fsqrt_rd(libdevice.fmul_rd(a_low, b_low))
        mean[i, 1] = libdevice.fsqrt_ru(libdevice.fmul_ru(a_high, b_high))
