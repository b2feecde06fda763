from numba import cuda, uint32

BINS = 256

@cuda.jit("void(u1[:], u4[:])")
def histogram(data, counts):
    own = cuda.shared.array(BINS, uint32)
    tid = cuda.threadIdx.x
    for bin in range(tid, BINS, cuda.blockDim.x):
        own[bin] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(own, data[i], 1)
    cuda.syncthreads()
    for bin in range(tid, BINS, cuda.blockDim.x):
        cuda.atomic.add(counts, bin, own[bin])
