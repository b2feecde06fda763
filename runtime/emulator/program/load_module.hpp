// PTX text to programs: what a driver does when it loads a module.
#pragma once

#include <string>

#include "runtime/emulator/program/image.hpp"
#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// What the pretended device and driver can load.
struct LoadTarget {
  uint32_t sm = 90;
  uint32_t max_version = 90;  ///< of the PTX ISA, 10 * major + minor
};

struct LoadedModule {
  Module module;
  Image image;
  std::vector<Program> programs;  ///< one for each entry, in the text's order
};

/// Everything in the text is checked, whether a kernel reaches it or not. Throws LoadError at the first fault.
LoadedModule load_module(std::string text, const LoadTarget& target = {});

/// Whether the text was refused for what it asks of driver or device rather than for what it says.
struct TargetError : LoadError {
  using LoadError::LoadError;
};

}  // namespace jitc::emulator
