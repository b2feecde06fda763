import math
from numba import cuda

@cuda.jit("void(f8[:,:], f8[:,:])")
def pairwise(X, D):
    i, j = cuda.grid(2)
    if i < X.shape[0] and j < X.shape[0]:
        d = 0.0
        for k in range(X.shape[1]):
            t = X[i, k] - X[j, k]
            d += t * t
        D[i, j] = math.sqrt(d)
