# Prices of European options by Black and Scholes (1973): what the right to buy (call) or to sell (put) a share at the
# price `strike` in `years` is worth today. `normal` is a plain function, called with whole arrays; all of it is one
# kernel with two results.
#
#   jitc run black_scholes.dsl black_scholes --arg price=random:f8[1000]:seed=1:low=10:high=50 --arg strike=random:f8[1000]:seed=2:low=10:high=50 --arg years=random:f8[1000]:seed=3:low=0.2:high=2 --arg rate=0.02 --arg volatility=0.3 --print
import math

import numpy as np
from numba import jit


def normal(x):
    """The probability that a normal variable is below x."""
    return 0.5 * math.erfc(x * -math.sqrt(0.5))


@jit("(f8[:], f8[:])(f8[n], f8[n], f8[n], f8, f8)")
def black_scholes(price, strike, years, rate, volatility):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility ** 2) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    call = price * normal(d1) - discounted * normal(d2)
    put = discounted * normal(-d2) - price * normal(-d1)
    return call, put
