extern "C" __global__ void five_functions(const float* x, const float* y, float* out, Index n) {
  Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = expf(-x[i]) * logf(y[i]) + sinf(x[i]) * powf(y[i], x[i]) + tanhf(y[i]);
}
