# The covariance matrix of the columns of X, as np.cov(X, rowvar=False): the columns less their means, and one product of
# the matrix with itself.
#
#   jitc run covariance.dsl --arg X=data/iris.npy --print
#   jitc run covariance.dsl --arg X=random:f8[1000,6]:seed=1 --print
import numpy as np
from numba import jit


@jit("f8[:,:](f8[:,:])")
def covariance(X):
    centred = X - np.mean(X, axis=0)
    return centred.T @ centred / (X.shape[0] - 1)
