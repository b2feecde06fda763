# y becomes a * x + y, one thread per element. The product and the sum are one fused multiply-add.
#
#   jitc run axpy.dsl --arg a=2.5 --arg x=arange:f4[1000] --arg y=ones:f4[1000] --print y
from numba import cuda


@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]
