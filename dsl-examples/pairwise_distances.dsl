# Euclidean distances of the rows of two sets, for each pair of sets of a batch: D[i, j] = |X[i] - Y[j]|.
#
#   jitc run pairwise_distances.dsl --arg X=data/iris.npy --arg Y=data/iris.npy --print
#   jitc run pairwise_distances.dsl --arg X=random:f8[5,10,3]:seed=1 --arg Y=random:f8[4,3]:seed=2 --print
import math

from numba import guvectorize


@guvectorize(["void(f8[:,:], f8[:,:], f8[:,:])"], "(m,k),(n,k)->(m,n)")
def pairwise_distances(X, Y, D):
    for i in range(X.shape[0]):
        for j in range(Y.shape[0]):
            d = 0.0
            for k in range(X.shape[1]):
                t = X[i, k] - Y[j, k]
                d += t * t
            D[i, j] = math.sqrt(d)
