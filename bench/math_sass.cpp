// Machine code for sm_90 of each math function: ours through ptxas, against nvcc -O3 with its default flags. The kernel
// around it is the same in both, and is counted: 24 instructions. math_sass [FILE.json]
#include <fmt/format.h>

#include <cstdio>

#include "bench/machine_code.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

struct MathRow {
  const char* name;  ///< Python's
  const char* cuda;  ///< with an f behind it where it is of float
  int arity = 1;
};

constexpr MathRow kRows[] = {{"exp", "exp"},      {"exp2", "exp2"},
                             {"expm1", "expm1"},  {"log", "log"},
                             {"log2", "log2"},    {"log10", "log10"},
                             {"log1p", "log1p"},  {"sin", "sin"},
                             {"cos", "cos"},      {"tan", "tan"},
                             {"asin", "asin"},    {"acos", "acos"},
                             {"atan", "atan"},    {"atan2", "atan2", 2},
                             {"sinh", "sinh"},    {"cosh", "cosh"},
                             {"tanh", "tanh"},    {"asinh", "asinh"},
                             {"acosh", "acosh"},  {"atanh", "atanh"},
                             {"pow", "pow", 2},   {"sqrt", "sqrt"},
                             {"cbrt", "cbrt"},    {"hypot", "hypot", 2},
                             {"fmod", "fmod", 2}, {"remainder", "remainder", 2},
                             {"erf", "erf"},      {"erfc", "erfc"},
                             {"gamma", "tgamma"}, {"lgamma", "lgamma"}};
constexpr double kAim = 1.05;

CubinCounts count_ours(const MathRow& row, bool is_f4, const std::string& ptxas, const ScratchFolder& folder) {
  const std::string array = is_f4 ? "f4[::1]" : "f8[::1]", more = row.arity == 2 ? ", " + array : "";
  const std::string text = fmt::format(
      "from numba import cuda\nimport math\n\n@cuda.jit('void({0}, {0}{1})')\ndef k(x, out{2}):\n    i = cuda.grid(1)\n"
      "    if i < x.size:\n        out[i] = math.{3}(x[i]{4})\n",
      array, more, row.arity == 2 ? ", y" : "", row.name, row.arity == 2 ? ", y[i]" : "");
  const Program program = compile(text);
  const Artifact& artifact = program["k"].artifact({.name = "sm_90", .contiguous = true});
  return count_ptx(artifact.code, artifact.symbol, ptxas, folder);
}

CubinCounts count_twin(const MathRow& row, bool is_f4, const std::string& nvcc, const ScratchFolder& folder) {
  const char* type = is_f4 ? "float" : "double";
  const std::string text = fmt::format(
      "extern \"C\" __global__ void k(const {0}* x, {0}* out, const {0}* y, long long n) {{\n"
      "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = {1}{2}(x[i]{3});\n}}\n",
      type, row.cuda, is_f4 ? "f" : "", row.arity == 2 ? ", y[i]" : "");
  return count_cuda(text, "k", nvcc, "", folder);
}

void run(const std::string& json_path) {
  const std::optional<std::string> nvcc = find_tool("nvcc"), ptxas = find_tool("ptxas");
  if (!nvcc || !ptxas) return fmt::print("no nvcc and ptxas here: nothing to count\n");
  const ScratchFolder folder;
  nlohmann::ordered_json json = {{"benchmark", "SASS of math functions (sm_90)"},
                                 {"aim", {{"instructions", kAim}}},
                                 {"rows", nlohmann::ordered_json::array()}};
  fmt::print("instructions / registers, with the 24 of the kernel around; aim {} ×\n", kAim);
  fmt::print("| function | f4 | nvcc | ratio | f8 | nvcc | ratio |\n|---|---|---|---|---|---|---|\n");
  for (const MathRow& row : kRows) {
    std::string line = fmt::format("| {} |", row.name);
    for (const bool is_f4 : {true, false}) {
      const CubinCounts ours = count_ours(row, is_f4, *ptxas, folder), twin = count_twin(row, is_f4, *nvcc, folder);
      line += fmt::format(" {} | {} | {:.2f} |", cell(ours), cell(twin),
                          static_cast<double>(ours.instructions) / twin.instructions);
      json["rows"].push_back(
          {{"what", row.name}, {"dtype", is_f4 ? "f4" : "f8"}, {"ours", to_json(ours)}, {"nvcc", to_json(twin)}});
    }
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }
  write_json(json_path, json);
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("math_sass", [&] { jitc::bench::run(argc > 1 ? argv[1] : ""); });
}
