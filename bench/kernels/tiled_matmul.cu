#define TILE 16

// A is n × k, B k × m, C n × m.
extern "C" __global__ void tiled_matmul(const float* A, const float* B, float* C, Index n, Index k, Index m) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  Index column = (Index)blockIdx.x * blockDim.x + tx, row = (Index)blockIdx.y * blockDim.y + ty;
  float total = 0;
  for (Index inner = 0; inner < k; inner += TILE) {
    a[ty][tx] = row < n && inner + tx < k ? A[row * k + inner + tx] : 0;
    b[ty][tx] = inner + ty < k && column < m ? B[(inner + ty) * m + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) total += a[ty][i] * b[i][tx];
    __syncthreads();
  }
  if (row < n && column < m) C[row * m + column] = total;
}
