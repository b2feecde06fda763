// The C++ blocks of docs/array-functions.md, in a program that runs.
#include <cmath>
#include <iostream>
#include <jitc/jitc.hpp>
#include <vector>

constexpr const char* kText = R"dsl(
from numba import jit

@jit("f4[:,:](f4[:,:])")
def softmax(x):
    e = exp(x - max(x, axis=-1, keepdims=True))
    return e / sum(e, axis=-1, keepdims=True)

@jit("(f4[:], f4[:], f4)(f4[:,:])")
def statistics(x):
    return x.mean(axis=0), x.std(axis=0), x.max()

@jit("f4[:](f4[n], f4[n])")
def total(a, b):
    return a + b
)dsl";

static bool is_all(const jitc::Array& array, float value) {
  for (const float x : array.to_vector<float>()) {
    if (std::fabs(x - value) > 1e-6f) return false;
  }
  return true;
}

static bool call_one(const jitc::Device& device, const jitc::Program& program) {
  const jitc::Function softmax = program["softmax"];
  const jitc::Array x = device.to_device(std::vector<float>(6400, 0.5f), {64, 100});
  const jitc::Array y = softmax(x);
  softmax.call_into(x, x);  // the result over the argument
  return softmax.kind() == jitc::FunctionKind::array_function && y.shape() == x.shape() && is_all(y, 0.01f) &&
         is_all(x, 0.01f);
}

static bool call_several(const jitc::Device& device, const jitc::Function& softmax, const jitc::Function& statistics) {
  const jitc::Array x = device.to_device(std::vector<float>{1, 2, 3, 4}, {2, 2});
  const auto [mean, deviation, largest] = statistics.call<3>(x);
  const jitc::Stream stream(device);
  const jitc::Array later = softmax.call_on(stream, x);
  stream.synchronize();
  return mean.to_vector<float>() == std::vector<float>{2, 3} && is_all(deviation, 1) && largest.shape().empty() &&
         largest.to_vector<float>() == std::vector<float>{4} && later.shape() == x.shape();
}

static bool use_host_memory(const jitc::Function& softmax) {
  const std::vector<float> x(200, 2.0f);
  std::vector<float> y(200);
  softmax.call_into(jitc::HostView(y.data(), jitc::f4, {2, 100}), jitc::HostView(x.data(), jitc::f4, {2, 100}));
  return std::fabs(y[199] - 0.01f) < 1e-8f;
}

static bool report_shapes(const jitc::Device& device, const jitc::Function& total) {
  try {
    total(device.zeros({2}, jitc::f4), device.zeros({3}, jitc::f4));
  } catch (const jitc::Error& error) {
    std::cout << error.what() << '\n';  // … n is 2 in a (axis 0) but 3 in b (axis 0)
    return error.code() == jitc::ErrorCode::argument;
  }
  return false;
}

int main() {
  const jitc::Device device = jitc::Device::open("auto");
  const jitc::Program program = jitc::compile(kText);
  const bool ok = call_one(device, program) && call_several(device, program["softmax"], program["statistics"]) &&
                  use_host_memory(program["softmax"]) && report_shapes(device, program["total"]);
  std::cout << (ok ? "ok\n" : "wrong\n");
}
