#define THREADS 256

// One block for each row: maximum and sum by a tree in shared memory.
kernel void softmax(global const float* x, global float* out, int columns) {
  local float partial[THREADS];
  int row = get_group_id(0), tid = get_local_id(0);
  float largest = -INFINITY;
  for (int j = tid; j < columns; j += THREADS) largest = fmax(largest, x[row * columns + j]);
  partial[tid] = largest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (tid < step) partial[tid] = fmax(partial[tid], partial[tid + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  largest = partial[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float total = 0;
  for (int j = tid; j < columns; j += THREADS) {
    float e = exp(x[row * columns + j] - largest);
    out[row * columns + j] = e;
    total += e;
  }
  partial[tid] = total;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = THREADS / 2; step > 0; step /= 2) {
    if (tid < step) partial[tid] += partial[tid + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  total = partial[0];
  for (int j = tid; j < columns; j += THREADS) out[row * columns + j] /= total;
}
