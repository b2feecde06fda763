# All threads read the sum that one of them keeps, without waiting for it. In the repaired kernel the compiler loads the
# sum before the loop, for all threads: those that drop it do not race.
#   block: 32
#   checks: race
#   x: arange f4[64]
#   y: empty f4[32]
#   report: kernel fault: race write in fault (st.shared.u32, source line 15), block (0, 0, 0), thread (0, 0, 0): offset
#     0 of shared memory; thread (31, 0, 0) of the same block read it in fault (ld.shared.f32, source line 25), and
#     nothing orders the two
from numba import cuda, float32


@cuda.jit("void(f4[:], f4[:])")
def fault(x, y):
    total = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        total[0] = 0
    for k in range(t, x.size, 32):
        v = x[k]
        for d in (16, 8, 4, 2, 1):
            v += cuda.shfl_down_sync(-1, v, d)
        if t == 0:
            total[0] += v
    y[t] = total[0]


@cuda.jit("void(f4[:], f4[:])")
def repaired(x, y):
    total = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        total[0] = 0
    for k in range(t, x.size, 32):
        v = x[k]
        for d in (16, 8, 4, 2, 1):
            v += cuda.shfl_down_sync(-1, v, d)
        if t == 0:
            total[0] += v
    cuda.syncwarp()
    y[t] = total[0]
