import math
from numba import cuda

@cuda.jit("void(f4[:], f4[:], f4[:])")
def five_functions(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = math.exp(-x[i]) * math.log(y[i]) + math.sin(x[i]) * math.pow(y[i], x[i]) + math.tanh(y[i])
