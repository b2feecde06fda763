from numba import vectorize


@vectorize
def turned(z):
    return z * 1j


@vectorize(["f2(f2, f2)", "bf16(bf16, bf16)"])
def mean(a, b):
    return (a + b) / 2
