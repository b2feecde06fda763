# The mean of the last `window` values of each series. The window is a single element, "()": a number for all series, or an
# array with one for each.
#
#   jitc run moving_average.dsl --arg x=random:f8[20,100]:seed=5 --arg window=10 --print
#   jitc run moving_average.dsl --arg x=arange:f8[3,12] --arg 'window=i8[3]{2, 3, 5}' --print
from numba import guvectorize


@guvectorize(["void(f8[:], i8, f8[:])"], "(n),()->(n)")
def moving_average(x, window, out):
    total = 0.0
    for i in range(x.size):
        total += x[i]
        if i >= window:
            total -= x[i - window]
        out[i] = total / min(i + 1, window)
