# A reduction, as Numba has it: one value of all elements of an array, whatever their type. It begins with init, 0 unless
# it is given. The bits of the result are the same on every device.
#
#   jitc run total.dsl total --arg array=random:f4[100000]:seed=1 --print
#   jitc run total.dsl total --arg array=arange:i8[1000] --arg init=1000 --arg size=11 --print
#   jitc run total.dsl product_of_all --arg array=full:1.001:f8[5000] --arg init=1 --print
from numba import cuda


@cuda.reduce
def total(a, b):
    return a + b


product_of_all = cuda.reduce(lambda a, b: a * b)
