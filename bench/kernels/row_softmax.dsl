from numba import jit

@jit("f4[:,:](f4[:,:])")
def row_softmax(x):
    e = exp(x - max(x, axis=-1, keepdims=True))
    return e / sum(e, axis=-1, keepdims=True)
