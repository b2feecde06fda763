// Machine code for sm_90: our PTX through ptxas, against nvcc -O3 on the same kernel in CUDA C++, with 32-bit indices
// as most people write them, and with 64-bit ones, which is what our kernels promise. Counts, not times. sass
// [FILE.json]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/array_kernel.hpp"
#include "bench/kernel_text.hpp"
#include "bench/machine_code.hpp"
#include "bench/run_benchmark.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

constexpr const char* kKernels[] = {"axpy",    "fused",     "pairwise",      "tiled_matmul",
                                    "softmax", "histogram", "batched_matmul"};
// Array functions.
constexpr const char* kArrayKernels[] = {"map_axpb", "row_softmax", "full_sum", "product", "transpose"};
constexpr double kInstructionAim = 1.05;
constexpr int kRegisterAim = 8;

ArrayKernel ours(const std::string& name) {
  const std::string text = kernel_text(name + ".dsl");
  if (std::ranges::find(kArrayKernels, name) != std::end(kArrayKernels)) {
    return compile_array_kernel(name, text, "sm_90");
  }
  const Program program = compile(text);
  const Artifact& artifact = program[name].artifact({.name = "sm_90", .contiguous = true});
  return {artifact.code, artifact.symbol};
}

CubinCounts count_ours(const std::string& name, const std::string& ptxas, const ScratchFolder& folder) {
  const ArrayKernel kernel = ours(name);
  return count_ptx(kernel.ptx, kernel.symbol, ptxas, folder);
}

CubinCounts count_twin(const std::string& name, const std::string& nvcc, const ScratchFolder& folder,
                       const std::string& index) {
  return count_cuda(kernel_text(name + ".cu"), name, nvcc, fmt::format("'-DIndex={}'", index), folder);
}

void run(const std::string& json_path) {
  const std::optional<std::string> nvcc = find_tool("nvcc"), ptxas = find_tool("ptxas");
  if (!nvcc || !ptxas) return fmt::print("no nvcc and ptxas here: nothing to count\n");
  const ScratchFolder folder;
  nlohmann::ordered_json json = {{"benchmark", "SASS (sm_90)"},
                                 {"aim", {{"instructions", kInstructionAim}, {"registers", kRegisterAim}}},
                                 {"rows", nlohmann::ordered_json::array()}};
  fmt::print("instructions / registers; aim {} × / {:+d}, nothing spilled\n", kInstructionAim, kRegisterAim);
  fmt::print("{:<16} {:<12} {:<18} {:<14} {:<18} {:<14}\n", "SASS (sm_90)", "ours", "nvcc, int", "", "nvcc, long long",
             "");
  std::vector<std::string> names(std::begin(kKernels), std::end(kKernels));
  names.insert(names.end(), std::begin(kArrayKernels), std::end(kArrayKernels));
  for (const std::string& name : names) {
    const CubinCounts ours = count_ours(name, *ptxas, folder), narrow = count_twin(name, *nvcc, folder, "int"),
                      wide = count_twin(name, *nvcc, folder, "long long");
    fmt::print("{:<16} {:<12} {:<18} {:<14} {:<18} {:<14}\n", name, cell(ours), cell(narrow), difference(ours, narrow),
               cell(wide), difference(ours, wide));
    json["rows"].push_back(
        {{"what", name}, {"ours", to_json(ours)}, {"nvcc_int", to_json(narrow)}, {"nvcc_long_long", to_json(wide)}});
  }
  write_json(json_path, json);
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  return jitc::bench::run_benchmark("sass", [&] { jitc::bench::run(argc > 1 ? argv[1] : ""); });
}
