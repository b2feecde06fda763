// Calls of ufuncs on large arrays on the CPU device, one each time that a line asks for it, so that peers in another
// process can take turns: array_calls THREADS, driven by array_peers.py. A line "NAME COUNT" is answered with the
// milliseconds of one call, results stored into an array that is there already; "quit" ends it.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace {

using namespace jitc;

constexpr const char* kText = R"text(
import math
import numpy as np
from numba import vectorize

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)

@vectorize(["f4(f4)"])
def root(a):
    return math.sqrt(a)

@vectorize(["f4(f4, f4)"])
def axpb(a, b):
    return 2 * a + b

@vectorize(["f4(f4, f4, f4)"])
def gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)

@vectorize(["f4(f4, f4, f4, f4)"])
def polar_distance(rho1, theta1, rho2, theta2):
    dx = rho1 * math.cos(theta1) - rho2 * math.cos(theta2)
    dy = rho1 * math.sin(theta1) - rho2 * math.sin(theta2)
    return math.sqrt(dx * dx + dy * dy)

@vectorize(["f4(f4, f4)"])
def damped(a, b):
    return math.exp(-a) * math.sqrt(b * b + 1)

@vectorize(["f4(f4, f4)"])
def rows(a, b):
    return a - b
)text";

/// The arrays of one size, made once; the same elements in [0, 4) every time.
class Arrays {
 public:
  Arrays(const Device& device, int64_t count) : out(device.empty({count}, f4)) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<float> uniform(0, 4);
    std::vector<float> values(static_cast<size_t>(count));
    for (Array& array : in) {
      for (float& value : values) value = uniform(engine);
      array = device.to_device(values);
    }
  }

  std::array<Array, 4> in;
  Array out;
};

double call_ms(const Program& program, const std::string& name, const Arrays& arrays) {
  const Function function = program[name];
  const auto& [a, b, c, d] = arrays.in;
  const int64_t columns = 1000, count = a.size() / columns * columns;
  const auto matrix = [&](const Array& x) { return x.slice(0, 0, count).reshape({-1, columns}); };
  return bench::time_ms([&] {
    if (name == "root") return function.call_into(arrays.out, a);
    if (name == "gaussian") return function.call_into(arrays.out, a, 0.5, 1.25);
    if (name == "polar_distance") return function.call_into(arrays.out, a, b, c, d);
    if (name == "rows") return function.call_into(matrix(arrays.out), matrix(a), b.slice(0, 0, columns));
    return function.call_into(arrays.out, a, b);
  });
}

void answer_all(const std::string& threads) {
  // Read once by the device.
  setenv("JITC_CPU_THREADS", threads.c_str(), 1);
  const Device device = Device::open("cpu");
  const Program program = compile(kText);
  std::map<int64_t, Arrays> arrays;
  std::string name;
  int64_t count = 0;
  while (std::cin >> name && name != "quit" && std::cin >> count) {
    const auto found = arrays.find(count);
    const Arrays& of_size =
        found != arrays.end() ? found->second : arrays.try_emplace(count, device, count).first->second;
    fmt::print("{:.6f}\n", call_ms(program, name, of_size));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("array_calls", [&] { answer_all(argc > 1 ? argv[1] : "1"); });
}
