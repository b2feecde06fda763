// printf as the driver does it: a format and a buffer of arguments, both in the device's memory.
#pragma once

#include <optional>

#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator::driver {

struct PrintCall {
  uint64_t format;     ///< generic addresses
  uint64_t arguments;  ///< each at a multiple of its size; null where there are none
};

struct Printed {
  std::string text;
  uint32_t count_arguments = 0;  ///< what vprintf returns
};

/// Nothing where an address is not one of memory. Source: CUDA C++ Programming Guide, "Formatted Output".
std::optional<Printed> format_print(Warp& warp, uint32_t lane, const PrintCall& call);

/// The text that ends with a zero; nothing where it leaves memory.
std::optional<std::string> read_text(Warp& warp, uint32_t lane, uint64_t address);

}  // namespace jitc::emulator::driver
