# Steps of the Gray-Scott reaction on a torus: two substances that spread and feed on each other, drawn as spots and
# stripes. Neighbours are rolled arrays, diagonal ones along two axes at once; a step is one kernel.
#
#   jitc run reaction_diffusion.dsl --arg u=ones:f4[60,80] --arg v=random:f4[60,80]:seed=5 --arg steps=20 --print v
import numpy as np
from numba import jit


def spread(a):
    """The Laplacian, of nine points."""
    beside = np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1)
    across = (np.roll(a, (1, 1), axis=(0, 1)) + np.roll(a, (1, -1), axis=(0, 1))
              + np.roll(a, (-1, 1), axis=(0, 1)) + np.roll(a, (-1, -1), axis=(0, 1)))
    return np.float32(0.2) * beside + np.float32(0.05) * across - a


@jit("(f4[:,:], f4[:,:])(f4[m,n], f4[m,n], i8)")
def reaction_diffusion(u, v, steps):
    for step in range(steps):
        eaten = u * v * v
        u_next = u + (0.16 * spread(u) - eaten + 0.035 * (1 - u))
        v = v + (0.08 * spread(v) + eaten - 0.1 * v)
        u = u_next
    return u, v
