# Dot products of the rows of two f2 matrices, summed in f4: half the memory of f4, and sums that do not lose what f2 has
# no digits for. A product of two f2 is exact in f4, so that every step rounds once.
#
#   jitc run mixed_dot.dsl --arg a=random:f2[100,64]:seed=1 --arg b=random:f2[100,64]:seed=2 --arg out=empty:f4[100] --block 32 --print out
from numba import cuda, float32


@cuda.jit("void(f2[n,k], f2[n,k], f4[n])")
def mixed_dot(a, b, out):
    row = cuda.grid(1)
    if row < out.size:
        total = float32(0)
        for i in range(a.shape[1]):
            total += float32(a[row, i]) * float32(b[row, i])
        out[row] = total
