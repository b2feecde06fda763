# Scaled dot-product attention of several heads: how well each query fits each key says how much of each value it gets.
# Two products in einsum's letters, and the softmax of rows between them.
#
#   jitc run attention.dsl --arg Q=normal:f4[4,20,16]:seed=1 --arg K=normal:f4[4,30,16]:seed=2 --arg V=normal:f4[4,30,8]:seed=3 --print
import numpy as np
from numba import jit


@jit("f4[:,:,:](f4[heads,queries,width], f4[heads,keys,width], f4[heads,keys,values])")
def attention(Q, K, V):
    scores = np.einsum("hqd,hkd->hqk", Q, K) / np.sqrt(np.float32(Q.shape[2]))
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = weights / np.sum(weights, axis=-1, keepdims=True)
    return np.einsum("hqk,hkv->hqv", weights, V)
