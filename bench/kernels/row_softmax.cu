#define WARPS 8
#define EACH 16  // elements of a lane: rows of up to 4096

__device__ float tree(const float* v, float (*f)(float, float)) {
  return f(f(f(v[0], v[1]), f(v[2], v[3])), f(f(v[4], v[5]), f(v[6], v[7])));
}
__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float plus(float a, float b) { return a + b; }

// A fold of the row: of a lane's elements, of the lanes of a warp, of the warps of the block.
__device__ __forceinline__ float fold(const float* v, float* leaves, float (*f)(float, float)) {
  float acc = v[0];
  for (int k = 1; k < EACH; ++k) acc = f(acc, v[k]);
  for (int step = 16; step > 0; step /= 2) acc = f(acc, __shfl_down_sync(0xffffffff, acc, step));
  if (threadIdx.x == 0) leaves[threadIdx.y] = acc;
  __syncthreads();
  return tree(leaves, f);
}

// One block of 32 by 8 threads for each row, which stays in registers.
extern "C" __global__ void __launch_bounds__(32 * WARPS) row_softmax(const float* x, float* out, Index columns) {
  __shared__ float leaves[2][WARPS];
  const Index row = (Index)blockIdx.x * columns;
  const Index begin = threadIdx.y * 32 * EACH + threadIdx.x;
  float v[EACH];
#pragma unroll
  for (int k = 0; k < EACH; ++k) {
    const Index e = begin + 32 * k;
    v[k] = e < columns ? x[row + e] : __int_as_float(0xff800000);
  }
  const float largest = fold(v, leaves[0], larger);
#pragma unroll
  for (int k = 0; k < EACH; ++k) v[k] = expf(v[k] - largest);
  const float total = fold(v, leaves[1], plus);
#pragma unroll
  for (int k = 0; k < EACH; ++k) {
    const Index e = begin + 32 * k;
    if (e < columns) out[row + e] = v[k] / total;
  }
}
