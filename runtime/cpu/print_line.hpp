// What print() in a kernel calls.
#pragma once

#include <cstdint>

namespace jitc::runtime::cpu {

/// Writes one line, as CpuPrint says, to standard output in one piece.
void print_line(const char* format, const uint64_t* args);

}  // namespace jitc::runtime::cpu
