#include "tests/unit/codegen/ptx_text.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

namespace jitc::codegen::tests {

size_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {}));
}
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

size_t loose_arithmetic(const std::string& ptx) {
  return count(ptx, R"(\b(add|sub|mul|mad)\.(ftz\.)?f(32|64))") + count(ptx, R"(\.(approx|ftz|full)\b)") +
         count(ptx, "frem");
}

bool have_ptxas() {
  static const bool found = std::system("ptxas --version > /dev/null 2>&1") == 0;
  if (!found) WARN("ptxas is not installed: PTX is not checked by it");
  return found;
}

PtxasRun run_ptxas(const std::string& ptx, int sm) {
  const auto folder = std::filesystem::temp_directory_path() / ("jitc_ptxas_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kernel.ptx") << ptx;
  const std::string log = (folder / "log.txt").string();
  const std::string command = "ptxas -arch=sm_" + std::to_string(sm) + " -o " + (folder / "kernel.cubin").string() +
                              " " + (folder / "kernel.ptx").string() + " > " + log + " 2>&1";
  const int status = std::system(command.c_str());
  std::stringstream output;
  output << std::ifstream(log).rdbuf();
  std::filesystem::remove_all(folder);
  return {status, output.str()};
}

}  // namespace jitc::codegen::tests
