// Copies of the emulator's library: each file that is loaded has a state of its own, made from the environment when it
// is first called.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "jitc/emulator.h"

namespace jitc::tests {

/// Environment variables by name, without "JITC_EMU_".
using EmulatorSettings = std::map<std::string, std::string>;

/// The path of a copy that no one has loaded; it is removed at the end of the process.
inline std::string fresh_library() {
  static const struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("jitc_cudaemu_" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
  } folder;
  static int count = 0;
  const auto copy = folder.path / (std::to_string(++count) + ".so");
  std::filesystem::copy_file(JITC_CUDAEMU, copy);
  return copy.string();
}

/// For its lifetime the environment has these settings.
class SettingsScope {
 public:
  explicit SettingsScope(const EmulatorSettings& settings) : settings_(settings) {
    for (const auto& [name, value] : settings_) setenv(("JITC_EMU_" + name).c_str(), value.c_str(), 1);
  }
  ~SettingsScope() {
    for (const auto& [name, value] : settings_) unsetenv(("JITC_EMU_" + name).c_str());
  }
  SettingsScope(const SettingsScope&) = delete;
  SettingsScope& operator=(const SettingsScope&) = delete;

 private:
  EmulatorSettings settings_;
};

/// Valid for good: the library is never unloaded.
inline const JitcEmulatorControl& control_of(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto control = reinterpret_cast<decltype(&jitc_emulator_control)>(dlsym(handle, "jitc_emulator_control"));
  dlclose(handle);
  return *control();
}

inline std::string last_report(const std::string& library) {
  char text[1024] = {};
  control_of(library).last_report(text, sizeof text);
  return text;
}

}  // namespace jitc::tests
