// What CUDA C makes of a kernel beyond arithmetic. Each writes what twins_test.cpp computes again on the host.
typedef int (*Operation)(int);

struct Point {
  double x, y;
  int weights[3];
};

__device__ int add_one(int x) { return x + 1; }
__device__ int square(int x) { return x * x; }
__device__ Operation operations[2] = {add_one, square};
__constant__ float coefficients[4] = {1.5f, -2.0f, 0.25f, 8.0f};
extern __shared__ int dynamic[];

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ Point scaled(Point p, int i) {
  p.x *= p.weights[i % 3];
  p.y += p.weights[(i + 1) % 3];
  return p;
}

extern "C" __global__ void functions(int* out) {
  int i = threadIdx.x;
  out[3 * i] = fibonacci(i);
  out[3 * i + 1] = operations[i & 1](i);
  Point p = scaled({1.5 * i, 2.0, {i, 2, 3}}, i);
  out[3 * i + 2] = (int)(p.x + p.y);
}

extern "C" __global__ void local_array(int* out, int n) {
  int values[32];
  for (int k = 0; k < 32; ++k) values[k] = k * n;
  int total = 0;
  for (int k = 0; k < n; ++k) total = total * 3 + values[(k * 7 + threadIdx.x) & 31];
  switch (n & 7) {
    case 0: total += 1; break;
    case 1: total *= 5; break;
    case 2: total ^= 0x55; break;
    case 3: total -= n; break;
    case 5: total = -total; break;
    default: break;
  }
  out[threadIdx.x] = total;
}

extern "C" __global__ void reverse_in_shared(const int* in, int* out, int n) {
  int i = threadIdx.x;
  dynamic[i] = in[blockIdx.x * n + i];
  __syncthreads();
  out[blockIdx.x * n + i] = dynamic[n - 1 - i] + (int)coefficients[i & 3];
}

extern "C" __global__ void warp_sums(const int* in, int* out) {
  int value = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  unsigned ballot = __ballot_sync(0xffffffff, in[threadIdx.x] & 1);
  int place = __popc(ballot & ((1u << (threadIdx.x & 31)) - 1));
  if ((threadIdx.x & 31) == 0) out[threadIdx.x / 32] = value;
  out[gridDim.x * 2 + threadIdx.x] = place + __syncthreads_count(in[threadIdx.x] > 0);
}

extern "C" __global__ void atomics(int* counts, unsigned long long* sum, float* largest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&counts[i % 7], 1);
  atomicAdd(sum, (unsigned long long)i);
  atomicMax((int*)largest, __float_as_int((float)i));
  int old = counts[7], seen;
  do {
    seen = old;
    old = atomicCAS(&counts[7], seen, seen + 2);
  } while (old != seen);
}

extern "C" __global__ void double_math(const double* in, double* out) {
  double x = in[threadIdx.x];
  double* row = out + 6 * threadIdx.x;
  row[0] = exp(x);
  row[1] = log(x);
  row[2] = sin(x);
  row[3] = pow(x, 1.25);
  row[4] = sqrt(x) / (1.0 + x);
  row[5] = tanh(x);
}
