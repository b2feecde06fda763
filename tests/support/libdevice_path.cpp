#include "tests/support/libdevice_path.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace jitc::tests {

std::string libdevice_path() {
  std::vector<std::filesystem::path> toolkits;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable)) toolkits.emplace_back(value);
  }
  toolkits.emplace_back("/usr/local/cuda");
  for (const auto& toolkit : toolkits) {
    const std::filesystem::path path = toolkit / "nvvm/libdevice/libdevice.10.bc";
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path.string();
  }
  WARN("there is no libdevice.10.bc: what needs it is not tested");
  return "";
}

}  // namespace jitc::tests
