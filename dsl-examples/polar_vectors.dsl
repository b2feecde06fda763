# Polar to Cartesian coordinates of vectors: a gufunc with two results. One radius may serve many angles.
#
#   jitc run polar_vectors.dsl --arg radius=random:f4[100,8]:seed=3 --arg angle=arange:f4[100,8] --print
#   jitc run polar_vectors.dsl --arg radius=full:2:f4[8] --arg angle=arange:f4[100,8] --print x y
import math

from numba import guvectorize


@guvectorize(["void(f4[:], f4[:], f4[:], f4[:])"], "(n),(n)->(n),(n)")
def polar_vectors(radius, angle, x, y):
    for i in range(radius.size):
        x[i] = radius[i] * math.cos(angle[i])
        y[i] = radius[i] * math.sin(angle[i])
