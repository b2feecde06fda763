extern "C" __global__ void fused(const float* x, const float* y, float* out, Index n) {
  Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = expf(-x[i]) * sqrtf(y[i]) + logf(y[i]) * sinf(x[i]);
}
