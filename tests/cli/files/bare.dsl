@cuda.jit
def scale(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 2 * x[i]
