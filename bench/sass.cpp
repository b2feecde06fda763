// Machine code for sm_90: our PTX through ptxas, against nvcc -O3 on the same kernel in CUDA C++, with 32-bit indices
// as most people write them, and with 64-bit ones, which is what our kernels promise. Counts, not times. sass
// [FILE.json]
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/array_kernel.hpp"
#include "bench/cubin.hpp"
#include "bench/kernel_text.hpp"
#include "jitc/jitc.hpp"

namespace jitc::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKernels[] = {"axpy",    "fused",     "pairwise",      "tiled_matmul",
                                    "softmax", "histogram", "batched_matmul"};
// Array functions.
constexpr const char* kArrayKernels[] = {"map_axpb", "row_softmax", "full_sum", "product", "transpose"};
constexpr double kInstructionAim = 1.05;
constexpr int kRegisterAim = 8;

/// A folder that goes when we do.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "jitc-sass-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Where the loader's PATH or CUDA's usual folder has it.
std::optional<std::string> find_tool(const std::string& name) {
  for (const std::string& command : {name, "/usr/local/cuda/bin/" + name}) {
    if (std::system((command + " --version >/dev/null 2>&1").c_str()) == 0) return command;
  }
  return std::nullopt;
}

/// Runs a compiler that was given -v for ptxas and counts what it made.
CubinCounts compile_and_count(const std::string& command, const ScratchFolder& folder, const std::string& symbol) {
  const fs::path cubin = folder / "out.cubin", log = folder / "log.txt";
  const std::string line = fmt::format("{} -o {} >{} 2>&1", command, cubin.string(), log.string());
  if (std::system(line.c_str()) != 0) throw std::runtime_error(line + "\n" + read_file(log));
  return count_cubin(read_file(cubin), symbol, read_file(log));
}

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
  const fs::path ptx = folder / "ours.ptx";
  std::ofstream(ptx) << kernel.ptx;
  return compile_and_count(fmt::format("{} -v -O3 -arch=sm_90 {}", ptxas, ptx.string()), folder, kernel.symbol);
}

CubinCounts count_twin(const std::string& name, const std::string& nvcc, const ScratchFolder& folder,
                       const std::string& index) {
  const fs::path source = folder / "twin.cu";
  std::ofstream(source) << kernel_text(name + ".cu");
  return compile_and_count(
      fmt::format("{} -O3 -arch=sm_90 -Xptxas -v '-DIndex={}' -cubin {}", nvcc, index, source.string()), folder, name);
}

nlohmann::ordered_json to_json(const CubinCounts& counts) {
  return {{"instructions", counts.instructions},
          {"registers", counts.registers},
          {"spill_bytes", counts.spill_bytes},
          {"stack_bytes", counts.stack_bytes}};
}

std::string cell(const CubinCounts& counts) {
  std::string text = fmt::format("{} / {}", counts.instructions, counts.registers);
  if (counts.spill_bytes || counts.stack_bytes)
    text += fmt::format(", {} B spilled, {} B stack", counts.spill_bytes, counts.stack_bytes);
  return text;
}

std::string difference(const CubinCounts& ours, const CubinCounts& twin) {
  return fmt::format("{:.2f} × / {:+d}", static_cast<double>(ours.instructions) / twin.instructions,
                     ours.registers - twin.registers);
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
  if (json_path.empty()) return;
  std::ofstream file(json_path);
  file << json.dump(2) << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + json_path);
}

}  // namespace
}  // namespace jitc::bench

int main(int argc, char** argv) {
  try {
    jitc::bench::run(argc > 1 ? argv[1] : "");
  } catch (const std::exception& error) {
    fmt::print(stderr, "sass: {}\n", error.what());
    return 1;
  }
}
