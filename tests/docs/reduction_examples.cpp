// The C++ blocks of docs/cpp-api.md about reductions and methods of ufuncs, in a program that runs.
#include <iostream>
#include <jitc/jitc.hpp>
#include <vector>

constexpr const char* kText = R"dsl(
from numba import cuda, vectorize

@vectorize(["f4(f4, f4)"], identity=0)
def add(a, b):
    return a + b

@vectorize(["f4(f4, f4)"])
def largest(a, b):
    return max(a, b)

@cuda.reduce
def total(a, b):
    return a + b
)dsl";

static bool use_methods(const jitc::Array& matrix, const jitc::Array& row, const jitc::Program& program) {
  const jitc::Function add = program["add"], largest = program["largest"];
  const jitc::Array sums = add.reduce(matrix);                                   // axis 0: f4[64]
  const jitc::Array rows = add.reduce(matrix, {.axes = {1}, .keepdims = true});  // f4[1000,1]
  const jitc::Array most = largest.reduce(matrix, {.all_axes = true, .initial = 0});
  const jitc::Array running = add.accumulate(row);
  const jitc::Array table = add.outer(row, row);  // f4[64,64]
  add.at(row, std::vector<int64_t>{0, 3, 0}, 1);  // row[0] += 1 twice
  return sums.to_vector<float>() == std::vector<float>(64, 500) && rows.shape() == std::vector<int64_t>{1000, 1} &&
         most.to_vector<float>() == std::vector<float>{0.5f} && running.to_vector<float>()[63] == 128 &&
         table.shape() == std::vector<int64_t>{64, 64} && row.to_vector<float>()[0] == 4;
}

static bool use_reduction(const jitc::Device& device, const jitc::Array& row, const jitc::Function& total) {
  const jitc::Array result = device.zeros({2}, jitc::f4);
  const jitc::Stream stream(device);
  const jitc::Array sum = total.reduce(row, {.initial = 10, .size = 5, .stream = stream});  // of rank 0
  total.reduce(row, {.out = result});  // to the first element of result
  stream.synchronize();
  return sum.to_vector<float>() == std::vector<float>{23} && result.to_vector<float>() == std::vector<float>{131, 0};
}

int main() {
  const jitc::Device device = jitc::Device::open("auto");
  const jitc::Program program = jitc::compile(kText);
  const jitc::Array matrix = device.to_device(std::vector<float>(64000, 0.5f), {1000, 64});
  const jitc::Array row = device.to_device(std::vector<float>(64, 2));
  const bool ok = use_methods(matrix, row, program) && use_reduction(device, row, program["total"]);
  std::cout << (ok ? "ok\n" : "wrong\n");
}
