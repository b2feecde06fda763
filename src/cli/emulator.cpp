#include "src/cli/emulator.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "src/cli/failure.hpp"

namespace jitc::cli {

namespace fs = std::filesystem;

namespace {
constexpr std::string_view kName = "emu";
}

std::optional<fs::path> emulator_library() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  const fs::path library = program.parent_path().parent_path() / JITC_LIBRARY_FOLDER / "libjitc-cudaemu.so";
  if (!fs::exists(library, error)) return std::nullopt;
  return library;
}

bool is_emulator(const std::string& device_name) {
  return device_name == kName || device_name.starts_with(std::string(kName) + ":");
}

std::string choose_driver(const std::string& device_name) {
  if (!is_emulator(device_name)) return device_name;
  const std::optional<fs::path> library = emulator_library();
  if (!library) {
    fail(fmt::format("there is no device '{}': this build of jitc has no emulator (libjitc-cudaemu.so)", device_name),
         "configure with -DJITC_BUILD_EMULATOR=ON, or name the library in JITC_CUDA_DRIVER and use --device cuda");
  }
  // A driver that the environment names gives way to one that the command line names.
  setenv("JITC_CUDA_DRIVER", library->c_str(), 1);
  return "cuda" + device_name.substr(kName.size());
}

}  // namespace jitc::cli
