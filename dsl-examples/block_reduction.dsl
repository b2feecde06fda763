# Sum of an array, a block at a time: each thread adds up its share in a grid-stride loop, then the block halves the number
# of its sums until one is left. The second kernel adds the blocks' sums in the same way.
#
#   jitc run block_reduction.dsl block_sums --arg x=random:f8[10000]:seed=7 --arg sums=empty:f8[8] --grid 8 --block 128 --print sums
#   jitc run block_reduction.dsl block_sums --arg x=random:f8[8]:seed=9 --arg sums=empty:f8[1] --grid 1 --block 128 --print
from numba import cuda, float64

THREADS = 128


@cuda.jit("void(f8[:], f8[:])")
def block_sums(x, sums):
    partial = cuda.shared.array(THREADS, float64)
    tid = cuda.threadIdx.x
    total = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    partial[tid] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if tid < half:
            partial[tid] += partial[tid + half]
        cuda.syncthreads()
        half //= 2
    if tid == 0:
        sums[cuda.blockIdx.x] = partial[0]
