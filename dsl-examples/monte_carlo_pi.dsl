# π from random points in a square: each thread draws its own points from its own generator, counts those in the circle, and
# leaves its estimate. The generators are Numba's: the same seed gives the same numbers.
#
#   jitc run monte_carlo_pi.dsl --arg states=xoroshiro:u8[192,2]:seed=1 --arg iterations=1000 --arg estimates=empty:f4[192] --grid 3 --block 64 --print estimates
from numba import cuda
from numba.cuda.random import xoroshiro128p_uniform_float32


@cuda.jit("void(u8[:,:], i4, f4[:])")
def monte_carlo_pi(states, iterations, estimates):
    thread = cuda.grid(1)
    if thread < estimates.size:
        inside = 0
        for i in range(iterations):
            x = xoroshiro128p_uniform_float32(states, thread)
            y = xoroshiro128p_uniform_float32(states, thread)
            if x**2 + y**2 <= 1.0:
                inside += 1
        estimates[thread] = 4.0 * inside / iterations
