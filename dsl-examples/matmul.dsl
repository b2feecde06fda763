# Product of an n × k and a k × m matrix of any sizes, one thread per element of the result, the sum in order of k.
# The names of the extents are checked at the launch: A's columns must be as many as B's rows.
#
#   jitc run matmul.dsl --arg A=random:f4[37,53]:seed=1 --arg B=random:f4[53,29]:seed=2 --arg C=empty:f4[37,29] --print C
from numba import cuda


@cuda.jit("void(f4[n,k], f4[k,m], f4[n,m])")
def matmul(A, B, C):
    row, column = cuda.grid(2)
    if row < C.shape[0] and column < C.shape[1]:
        total = 0.0
        for inner in range(A.shape[1]):
            total += A[row, inner] * B[inner, column]
        C[row, column] = total
