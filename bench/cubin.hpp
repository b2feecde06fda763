// What ptxas made of one kernel.
#pragma once

#include <string>

namespace jitc::bench {

struct CubinCounts {
  int instructions = 0;  ///< without NOPs, which only fill up the section
  int registers = 0;
  int spill_bytes = 0;  ///< stores and loads
  int stack_bytes = 0;  ///< local memory
};

/// Counts the instructions of section `.text.<symbol>` of a cubin and reads the rest from what `ptxas -v` printed.
/// Throws std::runtime_error where either lacks what is looked for.
CubinCounts count_cubin(const std::string& cubin, const std::string& symbol, const std::string& ptxas_log);

}  // namespace jitc::bench
