from numba import jit

@jit("f4(f4[:])")
def full_sum(a):
    return sum(a)
