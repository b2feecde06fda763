#include <cstdio>
#include <jitc/jitc.hpp>

int main() {
  jitc::Program program = jitc::compile(R"dsl(
from numba import cuda

@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]
)dsl");

  jitc::Device device = jitc::Device::open("auto");
  jitc::Array x = device.to_device(std::vector<float>{1, 2, 3});
  jitc::Array y = device.to_device(std::vector<float>{10, 20, 30});
  program["axpy"].launch({.grid = {1}, .block = {128}}, 2.0f, x, y);

  for (float value : y.to_vector<float>()) std::printf("%g ", value);  // 12 24 36
  std::puts(program["axpy"].ptx("sm_80").c_str());                     // the same kernel for NVIDIA GPUs
}
