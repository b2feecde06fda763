#define SIDE 32
#define ROWS 8

// A block of 32 x 8 threads brings a tile through shared memory, whose rows begin in different banks.
extern "C" __global__ void __launch_bounds__(SIDE * ROWS) transpose(const float* x, float* out, Index rows,
                                                                     Index columns) {
  __shared__ float tile[SIDE][SIDE + 1];
  const Index row = (Index)blockIdx.y * SIDE, column = (Index)blockIdx.x * SIDE;
#pragma unroll
  for (int i = threadIdx.y; i < SIDE; i += ROWS) {
    if (row + i < rows && column + threadIdx.x < columns) {
      tile[i][threadIdx.x] = x[(row + i) * columns + column + threadIdx.x];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = threadIdx.y; i < SIDE; i += ROWS) {
    if (column + i < columns && row + threadIdx.x < rows) {
      out[(column + i) * rows + row + threadIdx.x] = tile[threadIdx.x][i];
    }
  }
}
