from numba import guvectorize


@guvectorize(["void(f4[:], f4[:])", "void(f8[:], f8[:])"], "(n)->()")
def total(x, out):
    out[0] = 0
    for i in range(x.size):
        out[0] += x[i]


@guvectorize(["void(f4[:], f4, f4[:], i8[:])"], "(n),()->(n),()")
def scale(x, by, scaled, size):
    for i in range(x.size):
        scaled[i] = x[i] * by
    size[0] = x.size


@guvectorize("(n),(n)->(n)")
def plus(x, y, out):
    for i in range(x.size):
        out[i] = x[i] + y[i]
