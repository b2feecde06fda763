from numba import cuda, vectorize


@vectorize(["f4(f4, f4)", "f8(f8, f8)"])
def product(a, b):
    return a * b


@vectorize
def total(a, b):
    return a + b


@cuda.jit
def scale(factor, x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor
