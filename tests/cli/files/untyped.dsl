from numba import cuda


@cuda.jit
def fill(x, value):
    x[cuda.grid(1)] = valeu
