# Layer normalisation: each row brought to mean 0 and variance 1, then scaled and shifted column by column. The mean, the
# variance around it and the result are one kernel.
#
#   jitc run layer_norm.dsl --arg x=random:f4[32,768]:seed=1 --arg scale=random:f4[768]:seed=2 --arg shift=arange:f4[768] --arg eps=1e-5 --print
#   jitc run layer_norm.dsl --arg x=random:f4[5,10]:seed=1 --arg scale=ones:f4[10] --arg shift=zeros:f4[10] --arg eps=1e-3 --print
import numpy as np
from numba import jit


@jit("f4[:,:](f4[:,n], f4[n], f4[n], f4)")
def layer_norm(x, scale, shift, eps):
    centred = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    return centred / np.sqrt(variance + eps) * scale + shift
