# The largest eigenvalue of a symmetric matrix and its vector, by power iteration. The loop runs on the host and asks for
# one number of each turn: how far the value has moved. `limit` bounds the number of turns, which is the third result.
#
#   jitc run power_iteration.dsl --arg "A=f8[3,3]{4,1,0, 1,3,1, 0,1,2}" --arg tolerance=1e-12 --arg limit=200 --print
import numpy as np
from numba import jit


@jit("(f8, f8[:], i8)(f8[n,n], f8, i8)")
def power_iteration(A, tolerance, limit):
    v = np.ones(A.shape[0])
    value = 0.0
    moved = np.inf
    turns = 0
    while moved > tolerance and turns < limit:
        w = A @ v
        old = value
        value = np.sum(v * w) / np.sum(v * v)
        v = w / np.sqrt(np.sum(w * w))
        moved = abs(value - old)
        turns += 1
    return value, v, turns
