@cuda.jit("void(f4[:])")
def shift(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i + 1]
