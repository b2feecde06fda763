#include "bench/machine_code.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace jitc::bench {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "jitc-sass-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

namespace {

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::optional<std::string> find_tool(const std::string& name) {
  for (const std::string& command : {name, "/usr/local/cuda/bin/" + name}) {
    if (std::system((command + " --version >/dev/null 2>&1").c_str()) == 0) return command;
  }
  return std::nullopt;
}

CubinCounts compile_and_count(const std::string& command, const ScratchFolder& folder, const std::string& symbol) {
  const fs::path cubin = folder / "out.cubin", log = folder / "log.txt";
  const std::string line = fmt::format("{} -o {} >{} 2>&1", command, cubin.string(), log.string());
  if (std::system(line.c_str()) != 0) throw std::runtime_error(line + "\n" + read_file(log));
  return count_cubin(read_file(cubin), symbol, read_file(log));
}

CubinCounts count_ptx(const std::string& ptx, const std::string& symbol, const std::string& ptxas,
                      const ScratchFolder& folder) {
  const fs::path source = folder / "ours.ptx";
  std::ofstream(source) << ptx;
  return compile_and_count(fmt::format("{} -v -O3 -arch=sm_90 {}", ptxas, source.string()), folder, symbol);
}

CubinCounts count_cuda(const std::string& text, const std::string& symbol, const std::string& nvcc,
                       const std::string& flags, const ScratchFolder& folder) {
  const fs::path source = folder / "twin.cu";
  std::ofstream(source) << text;
  return compile_and_count(fmt::format("{} -O3 -arch=sm_90 -Xptxas -v {} -cubin {}", nvcc, flags, source.string()),
                           folder, symbol);
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

void write_json(const std::string& path, const nlohmann::ordered_json& json) {
  if (path.empty()) return;
  std::ofstream file(path);
  file << json.dump(2) << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace jitc::bench
