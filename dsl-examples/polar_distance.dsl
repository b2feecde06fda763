# The distance of points in polar coordinates: a ufunc of four arguments over a device function that returns a tuple.
#
#   jitc run polar_distance.dsl --arg r1=random:f8[1000]:seed=1:low=2:high=3 --arg t1=random:f8[1000]:seed=2:high=6.28 --arg r2=random:f8[1000]:seed=3 --arg t2=random:f8[1000]:seed=4:high=6.28 --print
#   jitc run polar_distance.dsl --arg r1=random:f8[5,7]:seed=1:low=2:high=3 --arg t1=0.5 --arg r2=1 --arg t2=random:f8[5,7]:seed=4 --print
import math

from numba import vectorize


def to_cartesian(radius, angle):
    return radius * math.cos(angle), radius * math.sin(angle)


@vectorize(["f8(f8, f8, f8, f8)"])
def polar_distance(r1, t1, r2, t2):
    x1, y1 = to_cartesian(r1, t1)
    x2, y2 = to_cartesian(r2, t2)
    return math.sqrt((x1 - x2) ** 2 + (y1 - y2) ** 2)
