# A dense layer of a neural network: a product, a bias for each unit, and a rectifier that lets a tenth of what is negative
# through. One kernel: the sums are in registers when the bias meets them (jitc inspect dense_layer.dsl --array).
#
#   jitc run dense_layer.dsl --arg x=normal:f4[50,30]:seed=1 --arg weights=normal:f4[30,40]:seed=2 --arg bias=normal:f4[40]:seed=3
import numpy as np
from numba import jit


@jit("f4[samples,units](f4[samples,inputs], f4[inputs,units], f4[units])")
def dense_layer(x, weights, bias):
    y = x @ weights + bias
    return np.where(y > 0, y, y * np.float32(0.1))
