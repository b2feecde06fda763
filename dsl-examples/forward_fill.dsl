# A function that is associative, but not commutative: the later of two values, unless it is missing. Its accumulate
# fills gaps with the value before them; its reduce finds the last value that there is.
#
#   jitc run forward_fill.dsl latest.accumulate --arg 'array=f4[8]{1.5,nan,nan,2,nan,-3,7,nan}' --print
#   jitc run forward_fill.dsl latest.reduce --arg 'array=f4[8]{1.5,nan,nan,2,nan,-3,7,nan}' --print
from numba import f4, vectorize


@vectorize([f4(f4, f4)])
def latest(a, b):
    return a if b != b else b
