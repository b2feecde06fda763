# Euclidean distance of every point of X to every point of Y, in whole arrays: the differences are an array of three axes
# that is never stored. One kernel squares, sums and takes the root.
#
#   jitc run distances.dsl --arg X=data/iris.npy --arg Y=data/iris.npy --print
#   jitc run distances.dsl --arg X=random:f8[300,40]:seed=1 --arg Y=random:f8[20,40]:seed=2 --print
from numba import jit


@jit("f8[:,:](f8[n,k], f8[m,k])")
def distances(X, Y):
    return sqrt(sum((X[:, None, :] - Y[None, :, :]) ** 2, axis=-1))
