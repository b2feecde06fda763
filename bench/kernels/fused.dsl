import math
from numba import cuda

@cuda.jit("void(f4[:], f4[:], f4[:])")
def fused(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = math.exp(-x[i]) * math.sqrt(y[i]) + math.log(y[i]) * math.sin(x[i])
