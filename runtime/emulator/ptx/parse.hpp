// PTX text to a Module.
#pragma once

#include <string>

#include "runtime/emulator/ptx/module.hpp"

namespace jitc::emulator {

/// What a text may hold at most; a text beyond it is refused.
struct ParseLimits {
  size_t text_bytes = size_t{64} << 20;
  uint32_t block_depth = 64;
  uint64_t variable_bytes = uint64_t{1} << 31;
  size_t statements = size_t{1} << 20;      ///< of all functions together
  size_t initial_values = size_t{1} << 21;  ///< of all variables together
};

/// The module that `text` spells. Opcodes and names are not looked up yet. Throws LoadError at the first fault.
Module parse(std::string text, const ParseLimits& limits = {});

}  // namespace jitc::emulator
