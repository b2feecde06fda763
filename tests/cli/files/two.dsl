@cuda.jit("void(f4[:])")
def first(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = i


@cuda.jit(["void(f4, f4[:])", "void(f8, f8[:])", "void(i4, f8[:])"])
def second(a, x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] + a
