// The C++ blocks of docs/cpp-api.md, in a program that runs.
#include <cmath>
#include <iostream>
#include <jitc/jitc.hpp>
#include <vector>

constexpr const char* kText = R"dsl(
import math
from numba import cuda, vectorize

@vectorize(["f4(f4, f4, f4)"])
def gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * (2 * math.pi) ** 0.5)

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
  bool ok = second_column.to_vector<float>() == std::vector<float>(3, 3.0f);

  const jitc::Function gaussian = program["gaussian"];
  const jitc::Array density = gaussian(matrix, 0.5, 1.25);
  gaussian.call_into(matrix, matrix, 0, 1);
  ok = ok && std::fabs(density.to_vector<float>()[0] - 0.0431932f) < 1e-6f;
  ok = ok && std::fabs(matrix.to_vector<float>()[0] - 0.00443185f) < 1e-7f;
  std::cout << (ok ? "ok\n" : "wrong\n");
}
