#define BINS 256

extern "C" __global__ void histogram(const unsigned char* data, unsigned* counts, Index size) {
  __shared__ unsigned own[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  Index stride = (Index)gridDim.x * blockDim.x;
  for (Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) atomicAdd(&counts[bin], own[bin]);
}
