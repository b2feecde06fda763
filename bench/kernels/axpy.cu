extern "C" __global__ void axpy(float a, const float* x, float* y, Index n) {
  Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
