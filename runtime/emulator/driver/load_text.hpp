// From PTX text to a module's parts, with the code and the log of a driver that refuses it.
#pragma once

#include <optional>
#include <string>

#include "runtime/emulator/driver/calls.hpp"
#include "runtime/emulator/program/load_module.hpp"

namespace jitc::emulator::driver {

struct LoadResult {
  CUresult code = CUDA_SUCCESS;
  std::string log;                     ///< why not
  std::optional<LoadedModule> module;  ///< where the code is success
};

/// `image` is PTX that ends with a zero; other formats are refused.
LoadResult load_text(const void* image, const LoadTarget& target);

}  // namespace jitc::emulator::driver
