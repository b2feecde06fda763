# Steps until z -> z² + c leaves the circle of radius 2, at most `limit`, for each start z of a picture whose upper left
# corner is `corner`: rows go down, columns right, both `step` apart. Complex numbers are values like any other: arguments,
# variables of a device function, with `abs` and `==`. The constant's type, c8, makes all arithmetic f4.
#
#   jitc run julia.dsl --arg c=-0.4+0.6j --arg corner=-1.6+1.2j --arg step=0.02 --arg limit=100 --arg counts=empty:i4[120,160] --grid 10,8 --block 16,16 --print counts
from numba import cuda


@cuda.jit("i4(c8, c8, i4)", device=True)
def steps_to_escape(z, c, limit):
    count = 0
    while count < limit and z.real * z.real + z.imag * z.imag <= 4:
        z = z * z + c
        count += 1
    return count


@cuda.jit("void(c8, c8, f4, i4, i4[:,:])")
def julia(c, corner, step, limit, counts):
    column, row = cuda.grid(2)
    if row < counts.shape[0] and column < counts.shape[1]:
        z = corner + complex(step * column, -(step * row))
        counts[row, column] = steps_to_escape(z, c, limit)
