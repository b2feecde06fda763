# The normal distribution's density, in f4 throughout: a constant of the file is computed when the text is compiled, and
# the scalars mean and sigma are the same for all elements.
#
#   jitc run gaussian.dsl --arg x=random:f4[1000]:seed=1:low=-4:high=4 --arg mean=0.5 --arg sigma=1.25 --print
#   jitc run gaussian.dsl --arg x=random:f4[50]:seed=1 --arg mean=random:f4[50]:seed=2 --arg sigma=2 --print
import math

import numpy as np
from numba import vectorize

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)


@vectorize(["f4(f4, f4, f4)"], target="cuda")
def gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)
