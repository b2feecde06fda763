# a becomes b + s * c: the triad of the STREAM benchmark, which takes as long as the memory does. 12 bytes for each element of
# f4 over the kernel's time are the bandwidth. The threads stride over the grid, so that any grid covers any size.
#
#   jitc run triad.dsl --arg a=empty:f4[1000000] --arg b=arange:f4[1000000] --arg c=ones:f4[1000000] --arg s=3 --stream --repeat 5 --time
#   jitc run triad.dsl --arg a=empty:f8[1000] --arg b=random:f8[1000]:seed=1 --arg c=random:f8[1000]:seed=2 --arg s=0.5 --grid 2 --block 64 --stream
from numba import cuda


@cuda.jit(["void(f4[:], f4[:], f4[:], f4)", "void(f8[:], f8[:], f8[:], f8)"])
def triad(a, b, c, s):
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        a[i] = b[i] + s * c[i]
