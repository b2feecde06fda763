# Rows brought to mean 0 and deviation 1 and limited: two ufuncs in a row, the second with two results. The means and
# deviations of the columns, one number for each, broadcast over all rows.
#
#   jitc run standardize.dsl standardize --arg x=random:f8[100,4]:seed=1 --arg mean=arange:f8[4] --arg deviation=full:0.5:f8[1,4] --print
#   jitc run standardize.dsl limited --arg x=random:f8[50,3]:seed=2:low=-3:high=3 --arg limit=full:1.5:f8[3] --print
#   jitc run standardize.dsl limited --arg x=random:f4[7]:seed=2:low=-3:high=3 --arg limit=1 --print
from numba import vectorize


@vectorize(["f4(f4, f4, f4)", "f8(f8, f8, f8)"])
def standardize(x, mean, deviation):
    return (x - mean) / deviation


@vectorize([("f4", "f4"), ("f8", "f8")])
def limited(x, limit):
    """The value within -limit and limit, and how far it was outside."""
    inside = min(max(x, -limit), limit)
    return inside, x - inside
