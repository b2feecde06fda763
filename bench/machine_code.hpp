// Kernels through ptxas and nvcc, and what came out: instructions and registers.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bench/cubin.hpp"

namespace jitc::bench {

/// A folder that goes when we do.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Where the loader's PATH or CUDA's usual folder has it.
std::optional<std::string> find_tool(const std::string& name);

/// Runs a compiler that was given -v for ptxas and counts what it made of the kernel `symbol`. Throws
/// std::runtime_error with the compiler's messages.
CubinCounts compile_and_count(const std::string& command, const ScratchFolder& folder, const std::string& symbol);
/// The same for PTX and for CUDA C++, for sm_90.
CubinCounts count_ptx(const std::string& ptx, const std::string& symbol, const std::string& ptxas,
                      const ScratchFolder& folder);
CubinCounts count_cuda(const std::string& text, const std::string& symbol, const std::string& nvcc,
                       const std::string& flags, const ScratchFolder& folder);

nlohmann::ordered_json to_json(const CubinCounts& counts);
/// "26 / 10": instructions and registers.
std::string cell(const CubinCounts& counts);
/// "1.05 × / +2"
std::string difference(const CubinCounts& ours, const CubinCounts& twin);
/// Nothing where the path is empty. Throws std::runtime_error.
void write_json(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace jitc::bench
