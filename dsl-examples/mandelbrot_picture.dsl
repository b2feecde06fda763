# The Mandelbrot set without a loop over points: a whole picture of complex numbers takes each step z -> z² + c together,
# and those still within the circle of radius 2 are counted. `pixels` makes colours of the counts: u1 of height, width and
# red, green, blue. `picture` is both, and a file ending in .png keeps it as a picture.
#
#   jitc run mandelbrot_picture.dsl picture --arg left=-2.2 --arg top=1.2 --arg step=0.02 --arg height=120 --arg width=160 --arg limit=60 --out out=mandelbrot.png
#   jitc run mandelbrot_picture.dsl pixels --arg counts=random:i4[120,160]:seed=1:low=0:high=61 --arg limit=60 --print
import numpy as np
from numba import jit


@jit("i4[:,:](f8, f8, f8, i8, i8, i4)")
def escape_counts(left, top, step, height, width, limit):
    re = left + step * np.arange(width)[None, :]
    im = top - step * np.arange(height)[:, None]
    x = np.zeros((height, width))
    y = np.zeros((height, width))
    counts = np.zeros((height, width), dtype=np.int32)
    for _ in range(limit):
        inside = x * x + y * y <= 4
        counts += inside
        x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, 2 * x * y + im, y)
    return counts


@jit("u1[:,:,:](i4[:,:], i4)")
def pixels(counts, limit):
    escaped = counts < limit
    shade = 255 * counts // limit
    red = np.where(escaped, shade, 0)
    green = np.where(escaped, shade * shade // 255, 0)
    blue = np.where(escaped, 64 + shade * 3 // 4, 0)
    return np.stack((red, green, blue), axis=-1).astype(np.uint8)


@jit("u1[:,:,:](f8, f8, f8, i8, i8, i4)")
def picture(left, top, step, height, width, limit):
    return pixels(escape_counts(left, top, step, height, width, limit), limit)
