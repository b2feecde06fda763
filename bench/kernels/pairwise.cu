extern "C" __global__ void pairwise(const double* X, double* D, Index n, Index dims) {
  Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x;
  Index j = (Index)blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    double d = 0.0;
    for (Index k = 0; k < dims; ++k) {
      double t = X[i * dims + k] - X[j * dims + k];
      d += t * t;
    }
    D[i * n + j] = sqrt(d);
  }
}
