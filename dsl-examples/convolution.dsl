# Convolution of signals with filters, of the signal's length, as np.convolve(x, w, "same") for an odd filter. A second axis
# before the filter's makes all combinations of signals and filters.
#
#   jitc run convolution.dsl --arg x=random:f4[50,200]:seed=6 --arg 'w=f4[3]{0.25, 0.5, 0.25}' --print
#   jitc run convolution.dsl --arg x=random:f4[4,1,30]:seed=7 --arg w=random:f4[2,5]:seed=8 --print
from numba import f4, guvectorize


@guvectorize(["void(f4[:], f4[:], f4[:])"], "(n),(k)->(n)")
def convolution(x, w, out):
    middle = w.size // 2
    for i in range(x.size):
        total = f4(0)
        for j in range(w.size):
            at = i + middle - j
            if at >= 0 and at < x.size:
                total += x[at] * w[j]
        out[i] = total
