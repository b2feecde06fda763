// Array functions on the CPU device and their twins in C++, one call each time that a line asks for it, so that peers
// in another process can take turns: array_functions THREADS, driven by array_function_peers.py. A line "ours NAME" or
// "twin NAME" is answered with the milliseconds of one call, results stored into memory that is there already; "save
// ours NAME FILE" and "save twin NAME FILE" with "saved" when the result of the last call is in the file; "quit" ends
// it.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/array_function_twins.hpp"
#include "bench/measure.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr const char* kText = R"text(
from numba import jit

@jit("f4[:](f4[n], f4[n])")
def axpb(a, b):
    return 2 * a + b

@jit("f4[:](f4[n], f4[n])")
def damped(a, b):
    return exp(-a) * sqrt(b * b + 1)

@jit("f4(f4[:])")
def total(a):
    return sum(a)

@jit("f4[:](f4[:,:])")
def row_sums(a):
    return sum(a, axis=1)

@jit("f4[:](f4[:,:])")
def column_sums(a):
    return sum(a, axis=0)

@jit("f4[:,:](f4[:,:])")
def softmax(x):
    e = exp(x - max(x, axis=-1, keepdims=True))
    return e / sum(e, axis=-1, keepdims=True)

@jit("f4[:,:](f4[:,:])")
def transposed(x):
    return x.T.copy()

@jit("f4[:,:](f4[:,:], f4[:,:])")
def product(a, b):
    return a @ b

@jit("f4[:,:](f4[n,k], f4[m,k])")
def distances(x, y):
    return sqrt(sum((x[:, None, :] - y[None, :, :]) ** 2, axis=2))
)text";

using Shape = std::vector<int64_t>;

struct Case {
  std::string name;
  const char* function;
  std::vector<Shape> inputs;
  Shape result;
  Twin twin;  ///< null: none
};

const std::vector<Case>& cases() {
  constexpr int64_t kCount = int64_t{1} << 25;
  static const std::vector<Case> all = {
      {"axpb", "axpb", {{kCount}, {kCount}}, {kCount}, axpb_twin},
      {"damped", "damped", {{kCount}, {kCount}}, {kCount}, damped_twin},
      {"total", "total", {{kCount}}, {}, total_twin},
      {"row_sums", "row_sums", {{8192, 4096}}, {8192}, row_sums_twin},
      {"column_sums_256", "column_sums", {{kCount / 256, 256}}, {256}, column_sums_twin},
      {"column_sums_1024", "column_sums", {{kCount / 1024, 1024}}, {1024}, column_sums_twin},
      {"column_sums_4096", "column_sums", {{kCount / 4096, 4096}}, {4096}, column_sums_twin},
      {"softmax", "softmax", {{2048, 2048}}, {2048, 2048}, softmax_twin},
      {"transposed", "transposed", {{4096, 4096}}, {4096, 4096}, transposed_twin},
      {"product", "product", {{2048, 2048}, {2048, 2048}}, {2048, 2048}, nullptr},
      {"distances", "distances", {{2000, 64}, {2000, 64}}, {2000, 2000}, distances_twin},
  };
  return all;
}

int64_t count_of(const Shape& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

/// Elements in [0, 4), exact multiples of 2^-22, which array_function_peers.py makes as well.
std::vector<float> input_elements(int64_t count, uint32_t seed) {
  std::vector<float> out(static_cast<size_t>(count));
  for (size_t i = 0; i < out.size(); ++i) {
    const uint32_t bits = static_cast<uint32_t>(i) * 2654435761U + seed * 0x9E3779U;
    out[i] = static_cast<float>(bits >> 8) * 0x1p-22f;
  }
  return out;
}

/// The memory of one case.
class Run {
 public:
  Run(const Case& of, const Device& device, const Program& program, int threads)
      : case_(of), threads_(threads), function_(program[of.function]), out_(device.empty(of.result, f4)) {
    for (const Shape& shape : of.inputs) {
      const auto seed = static_cast<uint32_t>(inputs_.size());
      inputs_.push_back(device.to_device(input_elements(count_of(shape), seed), shape));
      arguments_.emplace_back(inputs_.back());
    }
    if (of.twin != nullptr) twin_out_ = device.empty(of.result, f4);
  }

  const std::string& name() const { return case_.name; }

  double ms(const std::string& who) {
    if (who == "ours") return time_ms([&] { function_.call_list(arguments_, {.out = {out_}}); });
    if (who != "twin" || case_.twin == nullptr) throw std::invalid_argument(fmt::format("no {} of {}", who, name()));
    std::vector<const float*> data;
    for (const Array& input : inputs_) data.push_back(reinterpret_cast<const float*>(input.data()));
    const Shape& shape = case_.inputs[0];
    return time_ms(
        [&] { case_.twin(data.data(), reinterpret_cast<float*>(twin_out_.data()), shape.data(), threads_); });
  }

  void save(const std::string& who, const std::string& path) const {
    const std::vector<float> values = (who == "ours" ? out_ : twin_out_).to_vector<float>();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
  }

 private:
  const Case& case_;
  int threads_;
  Function function_;
  std::vector<Array> inputs_;
  std::vector<Argument> arguments_;
  Array out_, twin_out_;
};

const Case& case_named(const std::string& name) {
  for (const Case& found : cases()) {
    if (found.name == name) return found;
  }
  throw std::invalid_argument("no case " + name);
}

void answer_all(const std::string& threads) {
  // Read once by the device.
  setenv("JITC_CPU_THREADS", threads.c_str(), 1);
  const Device device = Device::open("cpu");
  const Program program = compile(kText);
  std::unique_ptr<Run> run;  // one at a time: they are large
  std::string command, who, name, path;
  while (std::cin >> command && command != "quit") {
    const bool saves = command == "save";
    if (!saves) who = command;
    if ((saves && !(std::cin >> who)) || !(std::cin >> name) || (saves && !(std::cin >> path))) return;
    if (!run || run->name() != name) {
      run.reset();
      run = std::make_unique<Run>(case_named(name), device, program, std::stoi(threads));
    }
    if (saves) {
      run->save(who, path);
      fmt::print("saved\n");
    } else {
      fmt::print("{:.6f}\n", run->ms(who));
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("array_functions", [&] { jitc::bench::answer_all(argc > 1 ? argv[1] : "1"); });
}
