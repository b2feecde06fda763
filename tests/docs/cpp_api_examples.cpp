// The C++ blocks of docs/cpp-api.md, in a program that runs.
#include <cmath>
#include <iostream>
#include <jitc/jitc.hpp>
#include <vector>

constexpr const char* kText = R"dsl(
import math
from numba import cuda, guvectorize, vectorize

@vectorize(["f4(f4, f4, f4)"])
def gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * (2 * math.pi) ** 0.5)

@guvectorize(["void(f4[:,:], f4[:,:], f4[:,:])"], "(m,n),(n,p)->(m,p)")
def matmul(A, B, C):
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            total = 0.0
            for k in range(A.shape[1]):
                total += A[i, k] * B[k, j]
            C[i, j] = total

@vectorize(["(f4, f4)"])
def ordered(a, b):
    if a < b:
        return a, b
    return b, a

@guvectorize(["void(f4[:], f4[:], f4[:])"], "(n)->(),()")
def range_of(x, low, high):
    low[0] = high[0] = x[0]
    for i in range(1, x.size):
        low[0] = min(low[0], x[i])
        high[0] = max(high[0], x[i])

@cuda.jit("void(f4, f4[:,:], i8)")
def scale(factor, a, rows):
    i = cuda.grid(1)
    if i < rows:
        for j in range(a.shape[1]):
            a[i, j] *= factor

@cuda.jit("void(f4[:], f4[:])")
def square(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i] * x[i]
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

static bool launch_in_other_ways(const jitc::Device& device, const jitc::Function& square) {
  std::vector<float> x(1000, 1.5f), y(1000);
  square.launch({.grid = {8}, .block = {128}}, jitc::in(x), jitc::out(y));
  bool ok = y == std::vector<float>(1000, 2.25f);

  const jitc::Array a = device.to_device(x), b = device.empty_like(a);
  square.forall(a.size(), a, b);

  const jitc::PreparedLaunch again = square.prepare({.grid = {8}, .block = {128}}, a, a);
  for (int step = 0; step < 3; ++step) again.run();
  device.synchronize();
  return ok && b.to_vector<float>() == y && a.index(0, 7).copy().to_vector<float>()[0] == 25.628906f;
}

static bool use_streams(const jitc::Device& device, const jitc::Function& square, const jitc::Function& gaussian) {
  const jitc::Array a = device.to_device(std::vector<float>(1000, 1.5f)), b = device.empty_like(a);
  const jitc::Stream stream(device);
  const jitc::Event begin(device), end(device);
  begin.record(stream);
  square.launch({.grid = {8}, .block = {128}, .stream = stream}, a, b);
  const jitc::Array density = gaussian.call_on(stream, b, 0, 1);
  end.record(stream);
  stream.add_callback([] { std::cout << "computed\n"; });

  stream.synchronize();  // throws what went wrong in the work
  std::cout << begin.elapsed_ms(end) << " ms\n";
  return b.to_vector<float>()[999] == 2.25f && density.size() == 1000;
}

static bool call_ufuncs(const jitc::Device& device, const jitc::Function& gaussian, const jitc::Function& ordered) {
  const jitc::Array column = device.to_device(std::vector<float>{1, 2, 3}, {3, 1});
  const jitc::Array row = device.to_device(std::vector<float>{0, 1, 2, 3});
  const jitc::Array matrix = device.to_device(std::vector<float>(12, 1.5f), {3, 4});

  const jitc::Array density = gaussian(matrix, 0.5, 1.25);
  gaussian.call_into(matrix, matrix, 0, 1);               // in place
  const jitc::Array table = gaussian(column, row, 1.25);  // (3, 1) and (4,): (3, 4)
  const auto [low, high] = ordered.call<2>(column, row);  // return a, b

  std::vector<float> x(1000, 1.5f), y(x.size());
  gaussian.call_into(y, x, 0.5, 1.25);

  return std::fabs(density.to_vector<float>()[0] - 0.2317532f) < 1e-6f && y[999] == density.to_vector<float>()[0] &&
         std::fabs(matrix.to_vector<float>()[0] - 0.1295176f) < 1e-6f &&
         table.to_vector<float>()[1] == table.to_vector<float>()[6] && low.to_vector<float>()[3] == 1 &&
         high.to_vector<float>()[3] == 3;
}

static bool call_gufuncs(const jitc::Device& device, const jitc::Function& matmul, const jitc::Function& range_of) {
  const jitc::Array batch = device.to_device(std::vector<float>(200, 0.5f), {10, 4, 5});
  const jitc::Array factor = device.to_device(std::vector<float>(15, 2.0f), {5, 3});
  const jitc::Array products = matmul(batch, factor);   // (10, 4, 3): each matrix of the batch times one
  const auto [low, high] = range_of.call<2>(products);  // (10, 4) each
  return low.shape() == std::vector<int64_t>{10, 4} && high.to_vector<float>() == std::vector<float>(40, 5.0f);
}

int main() {
  const jitc::Program program = jitc::compile(kText, {.file_name = "kernels.dsl", .check = true});
  const jitc::Function scale = program["scale"];

  const jitc::Device device = jitc::Device::open("auto");
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
  const jitc::Function square = program["square"];
  ok = call_ufuncs(device, gaussian, program["ordered"]) && ok;
  ok = call_gufuncs(device, program["matmul"], program["range_of"]) && launch_in_other_ways(device, square) &&
       use_streams(device, square, gaussian) && ok;
  std::cout << (ok ? "ok\n" : "wrong\n");
}
