# Polar to Cartesian coordinates: two outputs through a device function that returns a tuple. The function has no
# signature of its own: it is typed by its call.
#
#   jitc run polar.dsl --arg radius=random:f4[1000]:seed=3 --arg angle=arange:f4[1000] --arg x=empty:f4[1000] --arg y=empty:f4[1000] --print x --print y
import math

from numba import cuda


@cuda.jit(device=True)
def to_cartesian(radius, angle):
    return radius * math.cos(angle), radius * math.sin(angle)


@cuda.jit("void(f4[:], f4[:], f4[:], f4[:])")
def polar(radius, angle, x, y):
    i = cuda.grid(1)
    if i < radius.size:
        x[i], y[i] = to_cartesian(radius[i], angle[i])
