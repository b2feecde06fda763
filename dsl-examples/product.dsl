# A ufunc: what one element becomes. It is called with arrays and scalars; the types of the arrays choose the signature.
#
#   jitc run product.dsl --arg a=arange:f4[1000] --arg b=full:0.5:f4[1000] --print
#   jitc run product.dsl --arg a=random:f8[20,30]:seed=1 --arg b=random:f8[20,30]:seed=2 --print
#   jitc run product.dsl --arg a=arange:i4[2,3] --arg b=-7 --print
#   jitc run product.dsl --arg a=arange:f4[12,1] --arg b=arange:f4[10] --print
from numba import f4, f8, i4, vectorize


@vectorize([f4(f4, f4), f8(f8, f8), i4(i4, i4)])
def product(a, b):
    return a * b
