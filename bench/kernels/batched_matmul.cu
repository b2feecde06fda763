#define TILE 16

// A is batch × n × k, B batch × k × m, C batch × n × m.
extern "C" __global__ void batched_matmul(const float* A, const float* B, float* C, Index n, Index k, Index m) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  Index column = (Index)blockIdx.x * blockDim.x + tx, row = (Index)blockIdx.y * blockDim.y + ty;
  Index layer = (Index)blockIdx.z * blockDim.z + threadIdx.z;
  float total = 0;
  for (Index first = 0; first < k; first += TILE) {
    int width = k - first < TILE ? k - first : TILE;
    if (row < n && tx < width) a[ty][tx] = A[(layer * n + row) * k + first + tx];
    if (column < m && ty < width) b[ty][tx] = B[(layer * k + first + ty) * m + column];
    __syncthreads();
    if (row < n && column < m) {
      for (int i = 0; i < width; ++i) total += a[ty][i] * b[i][tx];
    }
    __syncthreads();
  }
  if (row < n && column < m) C[(layer * n + row) * m + column] = total;
}
