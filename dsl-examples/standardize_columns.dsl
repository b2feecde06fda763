# Each column less its mean, over its standard deviation: folds along axis 0, whose results broadcast to all rows. A
# column whose elements are all equal becomes zeros.
#
#   jitc run standardize_columns.dsl --arg X=data/iris.npy --print
#   jitc run standardize_columns.dsl --arg X=full:2.5:f8[10,3] --print
import numpy as np
from numba import njit


@njit("f8[:,:](f8[:,:])")
def standardize_columns(X):
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation == 0, 1, deviation)
