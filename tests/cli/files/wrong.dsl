@cuda.jit("void(f4[:])")
def first(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = y
