from numba import jit

@jit("f4[:](f4[n], f4[n])")
def map_axpb(a, b):
    return 2 * a + b
