# Softmax of each row: positive numbers whose sum is 1. The largest element is taken away first, so that exp never
# overflows. Two folds and what stands around them are one kernel, which reads x once.
#
#   jitc run softmax.dsl --arg x=normal:f4[64,100]:seed=1 --print
#   jitc run softmax.dsl --arg x=normal:f4[3,5000]:seed=2 --print
from numba import jit


@jit("f4[:,:](f4[:,:])")
def softmax(x):
    e = exp(x - max(x, axis=-1, keepdims=True))
    return e / sum(e, axis=-1, keepdims=True)
