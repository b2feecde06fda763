# Steps until z -> z² + c leaves the circle of radius 2, at most `limit`, for a picture of the complex plane: rows go
# down from `top`, columns right from `left`, both `step` apart. Columns lie along x of the grid, so that neighbouring
# threads write neighbouring elements: the grid of 10 × 8 blocks covers 160 columns and 120 rows.
#
#   jitc run mandelbrot.dsl --arg left=-2.2 --arg top=1.2 --arg step=0.02 --arg limit=200 --arg counts=empty:i4[120,160] --grid 10,8 --block 16,16 --print counts
from numba import cuda


@cuda.jit("i4(f8, f8, i4)", device=True)
def steps_to_escape(re, im, limit):
    x = 0.0
    y = 0.0
    count = 0
    while count < limit and x * x + y * y <= 4.0:
        x, y = x * x - y * y + re, 2.0 * x * y + im
        count += 1
    return count


@cuda.jit("void(f8, f8, f8, i4, i4[:,:])")
def mandelbrot(left, top, step, limit, counts):
    column, row = cuda.grid(2)
    if row < counts.shape[0] and column < counts.shape[1]:
        counts[row, column] = steps_to_escape(left + step * column, top - step * row, limit)
