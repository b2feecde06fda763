# One step of k-means: each point of X belongs to the nearest of the centres, and each centre moves to the mean of its
# points; one without points stays. Three results: the new centres, the number of each point's centre, and the sum of the
# squared distances, a number. Points are counted and summed by a matrix of zeros and ones.
#
#   jitc run kmeans.dsl kmeans_step --arg X=data/iris.npy --arg "centres=f8[3,4]{5,3,1,0, 6,3,4,1, 7,3,6,2}" --print
#   jitc run kmeans.dsl kmeans_step --arg X=random:f8[1000,2]:seed=1 --arg centres=random:f8[8,2]:seed=2:high=3 --print
import numpy as np
from numba import jit


@jit("(f8[:,:], i8[:], f8)(f8[n,d], f8[k,d])")
def kmeans_step(X, centres):
    squares = np.sum((X[:, None, :] - centres[None, :, :]) ** 2, axis=2)
    nearest = np.argmin(squares, axis=1)
    belongs = (nearest[:, None] == np.arange(centres.shape[0])).astype(np.float64)
    counts = np.sum(belongs, axis=0)[:, None]
    means = belongs.T @ X / np.maximum(counts, 1)
    return np.where(counts > 0, means, centres), nearest, np.sum(np.min(squares, axis=1))
