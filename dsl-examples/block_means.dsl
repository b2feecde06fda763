# Any number of axes in front: the last one is cut into blocks of `width`, each of which becomes its mean. The new shape is
# made of slices of the old one. And a signal as complex numbers, whose parts are views that can be assigned.
#
#   jitc run block_means.dsl block_means --arg x=random:f4[3,4,60]:seed=1 --arg width=5 --print out
#   jitc run block_means.dsl quadrature --arg x=random:f8[10]:seed=2 --arg y=random:f8[10]:seed=3 --print out
import numpy as np
from numba import jit


@jit("f4[:,:,:](f4[:,:,:], i8)")
def block_means(x, width):
    blocks = x.reshape(x.shape[:-1] + (x.shape[-1] // width, width))
    return blocks.mean(axis=-1)


@jit("c16[:](f8[n], f8[n])")
def quadrature(x, y):
    z = np.zeros(x.shape, dtype=np.complex128)
    z.real = x - x.mean()
    z.imag[1:] = y[1:] - y[:-1]
    z.imag *= 2
    return z
