# The activation x / (1 + exp(-x)) of neural networks: fast, and accurate enough for them. On a GPU the power and the
# division are one approximate instruction each.
#
#   jitc run swish.dsl --arg x=normal:f4[1000]:seed=1 --print
#   jitc run swish.dsl --arg x=random:f4[32,8]:seed=2:low=-4:high=4 --print
from math import exp

from numba import vectorize


@vectorize(["f4(f4)"], fastmath=True)
def swish(x):
    return x / (1 + exp(-x))
