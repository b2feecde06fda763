#define TILE 16

// A is n × k, B k × m, C n × m.
kernel void tiled_matmul(global const float* A, global const float* B, global float* C, int n, int k, int m) {
  local float a[TILE][TILE], b[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int column = get_global_id(0), row = get_global_id(1);
  float total = 0;
  for (int inner = 0; inner < k; inner += TILE) {
    a[ty][tx] = row < n && inner + tx < k ? A[row * k + inner + tx] : 0;
    b[ty][tx] = inner + ty < k && column < m ? B[(inner + ty) * m + column] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i) total = fma(a[ty][i], b[i][tx], total);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && column < m) C[row * m + column] = total;
}
