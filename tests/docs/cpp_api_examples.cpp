// The C++ blocks of docs/cpp-api.md, in a program that runs.
#include <iostream>
#include <jitc/jitc.hpp>
#include <vector>

constexpr const char* kText = R"dsl(
from numba import cuda

@cuda.jit("void(f4, f4[:,:], i8)")
def scale(factor, a, rows):
    i = cuda.grid(1)
    if i < rows:
        for j in range(a.shape[1]):
            a[i, j] *= factor
)dsl";

constexpr const char* kWrongText = R"dsl(
from numba import cuda

@cuda.jit("void(f4[:])")
def fill(a):
    a[cuda.grid(1)] = value
)dsl";

static void report_errors() {
  try {
    jitc::compile(kWrongText);
  } catch (const jitc::CompileError& error) {
    for (const jitc::DiagnosticMessage& message : error.diagnostics()) {
      std::cout << message.code << " in line " << message.range.line << ": " << message.message << '\n';
    }
  }
}

int main() {
  const jitc::Program program = jitc::compile(kText, {.file_name = "kernels.dsl", .check = true});
  const jitc::Function scale = program["scale"];

  const jitc::Device device = jitc::Device::open("cpu");
  const std::vector<float> host(12, 1.5f);
  const jitc::Array matrix = device.to_device(host, {3, 4});
  const jitc::Array second_column = matrix.slice(1, 1, 2);

  scale.launch({.grid = {1}, .block = {32}}, 2, matrix, 3);

  report_errors();
  std::cout << (second_column.to_vector<float>() == std::vector<float>(3, 3.0f) ? "ok\n" : "wrong\n");
}
