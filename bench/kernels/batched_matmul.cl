#define TILE 16

// A is batch × n × k, B batch × k × m, C batch × n × m.
kernel void batched_matmul(global const float* A, global const float* B, global float* C, int n, int k, int m) {
  local float a[TILE][TILE], b[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int column = get_global_id(0), row = get_global_id(1), layer = get_global_id(2);
  float total = 0;
  for (int first = 0; first < k; first += TILE) {
    int width = min(TILE, k - first);
    if (row < n && tx < width) a[ty][tx] = A[(layer * n + row) * k + first + tx];
    if (column < m && ty < width) b[ty][tx] = B[(layer * k + first + ty) * m + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row < n && column < m) {
      for (int i = 0; i < width; ++i) total = fma(a[ty][i], b[i][tx], total);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && column < m) C[(layer * n + row) * m + column] = total;
}
