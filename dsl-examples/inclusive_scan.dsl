# Running sums: each block scans its part by doubling distances and leaves its total; a second launch scans the totals; the
# third adds to each block what the blocks before it sum up to.
#
#   jitc run inclusive_scan.dsl scan_blocks --arg x=random:i4[1000]:low=-50:high=50:seed=1 --arg out=empty:i4[1000] --arg totals=empty:i4[8] --grid 8 --block 128 --print totals
#   jitc run inclusive_scan.dsl add_offsets --arg out=arange:i4[1000] --arg offsets=arange:i4[8] --grid 8 --block 128 --print
from numba import cuda, int32

THREADS = 128


@cuda.jit("void(i4[n], i4[n], i4[:])")
def scan_blocks(x, out, totals):
    sums = cuda.shared.array(THREADS, int32)
    tid, i = cuda.threadIdx.x, cuda.grid(1)
    sums[tid] = x[i] if i < x.size else 0
    cuda.syncthreads()
    distance = 1
    while distance < THREADS:
        earlier = sums[tid - distance] if tid >= distance else int32(0)
        cuda.syncthreads()
        sums[tid] += earlier
        cuda.syncthreads()
        distance *= 2
    if i < x.size:
        out[i] = sums[tid]
    if tid == THREADS - 1:
        totals[cuda.blockIdx.x] = sums[tid]


@cuda.jit("void(i4[:], i4[:])")
def add_offsets(out, offsets):
    i = cuda.grid(1)
    if i < out.size and cuda.blockIdx.x > 0:
        out[i] += offsets[cuda.blockIdx.x - 1]
