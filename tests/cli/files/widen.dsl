@cuda.jit("void(f4[:], i4)")
def widen(x, n):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] + n
