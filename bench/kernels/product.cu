#define TILE 128  // rows and columns of a block of 256 threads
#define DEEP 8
#define EACH 8    // rows and columns of a thread: two groups of 4 each
#define PITCH (TILE + 4)

// A product of n × k and k × m. The next tiles are on their way while the present ones are multiplied; sums of 256
// steps are added one after the other.
extern "C" __global__ void __launch_bounds__(256) product(const float* A, const float* B, float* C, Index n, Index k,
                                                           Index m) {
  __shared__ float a_tile[DEEP][PITCH], b_tile[DEEP][PITCH];
  const int thread = threadIdx.x, down = thread / 16, across = thread % 16;
  const Index row = (Index)blockIdx.y * TILE, column = (Index)blockIdx.x * TILE;
  float acc[EACH][EACH] = {}, total[EACH][EACH] = {}, a_next[4], b_next[4];
  const auto load = [&](Index k0) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int e = thread + 256 * i;
      const Index r = row + e / DEEP, ka = k0 + e % DEEP, kb = k0 + e / TILE, c = column + e % TILE;
      a_next[i] = r < n && ka < k ? A[r * k + ka] : 0;
      b_next[i] = kb < k && c < m ? B[kb * m + c] : 0;
    }
  };
  const auto keep = [&] {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int e = thread + 256 * i;
      a_tile[e % DEEP][e / DEEP] = a_next[i];
      b_tile[e / TILE][e % TILE] = b_next[i];
    }
  };
  load(0);
  keep();
  __syncthreads();
  for (Index k0 = 0; k0 < k; k0 += DEEP) {
    const bool more = k0 + DEEP < k;
    if (more) load(k0 + DEEP);
#pragma unroll
    for (int d = 0; d < DEEP; ++d) {
      float a[EACH], b[EACH];
#pragma unroll
      for (int i = 0; i < EACH; ++i) a[i] = a_tile[d][i / 4 * 64 + down * 4 + i % 4];
#pragma unroll
      for (int j = 0; j < EACH; ++j) b[j] = b_tile[d][j / 4 * 64 + across * 4 + j % 4];
#pragma unroll
      for (int i = 0; i < EACH; ++i) {
#pragma unroll
        for (int j = 0; j < EACH; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
      }
    }
    if ((k0 + DEEP) % 256 == 0 || !more) {
#pragma unroll
      for (int i = 0; i < EACH; ++i) {
#pragma unroll
        for (int j = 0; j < EACH; ++j) {
          total[i][j] += acc[i][j];
          acc[i][j] = 0;
        }
      }
    }
    __syncthreads();
    if (more) keep();
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < EACH; ++i) {
    const Index r = row + i / 4 * 64 + down * 4 + i % 4;
    if (r >= n) continue;
#pragma unroll
    for (int j = 0; j < EACH; ++j) {
      const Index c = column + j / 4 * 64 + across * 4 + j % 4;
      if (c < m) C[r * m + c] = total[i][j];
    }
  }
}
