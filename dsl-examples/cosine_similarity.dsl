# The cosines of the angles between all rows of A and all rows of B. Without signatures: the arrays of a call say the types,
# and one function takes f4 and f8, vectors and matrices.
#
#   jitc run cosine_similarity.dsl cosine_similarity --arg A=random:f4[6,40]:seed=1 --arg B=random:f4[5,40]:seed=2 --print out
#   jitc run cosine_similarity.dsl unit --arg v=normal:f8[300]:seed=3 --print out
import numpy as np
from numba import njit


@njit
def unit(v):
    return v / np.sqrt((v * v).sum(axis=-1, keepdims=True))


@njit
def cosine_similarity(A, B):
    return unit(A) @ unit(B).T
