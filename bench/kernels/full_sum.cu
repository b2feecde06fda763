#define WARPS 8
#define EACH 16  // elements of a lane
#define BLOCK (WARPS * 32 * EACH)

// The sum of each 4096 elements; the same kernel adds up those.
extern "C" __global__ void __launch_bounds__(32 * WARPS) full_sum(const float* x, float* sums, Index n) {
  __shared__ float leaves[WARPS];
  const Index first = (Index)blockIdx.x * BLOCK, begin = first + threadIdx.y * 32 * EACH + threadIdx.x;
  float v[EACH];
#pragma unroll
  for (int k = 0; k < EACH; ++k) {
    const Index e = begin + 32 * k;
    v[k] = e < n ? x[e] : -0.0f;
  }
  float acc = v[0];
#pragma unroll
  for (int k = 1; k < EACH; ++k) acc += v[k];
  for (int step = 16; step > 0; step /= 2) acc += __shfl_down_sync(0xffffffff, acc, step);
  if (threadIdx.x == 0) leaves[threadIdx.y] = acc;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    sums[blockIdx.x] = ((leaves[0] + leaves[1]) + (leaves[2] + leaves[3])) +
                       ((leaves[4] + leaves[5]) + (leaves[6] + leaves[7]));
  }
}
