#define THREADS 256

// One block for each row: maximum and sum by a tree in shared memory.
extern "C" __global__ void softmax(const float* x, float* out, Index columns) {
  __shared__ float partial[THREADS];
  Index row = blockIdx.x;
  int tid = threadIdx.x;
  float largest = __int_as_float(0xff800000);
  for (Index j = tid; j < columns; j += THREADS) largest = fmaxf(largest, x[row * columns + j]);
  partial[tid] = largest;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (tid < half) partial[tid] = fmaxf(partial[tid], partial[tid + half]);
    __syncthreads();
  }
  largest = partial[0];
  __syncthreads();
  float total = 0;
  for (Index j = tid; j < columns; j += THREADS) {
    float e = expf(x[row * columns + j] - largest);
    out[row * columns + j] = e;
    total += e;
  }
  partial[tid] = total;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (tid < half) partial[tid] += partial[tid + half];
    __syncthreads();
  }
  total = partial[0];
  for (Index j = tid; j < columns; j += THREADS) out[row * columns + j] /= total;
}
