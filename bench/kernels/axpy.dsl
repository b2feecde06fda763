from numba import cuda

@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]
