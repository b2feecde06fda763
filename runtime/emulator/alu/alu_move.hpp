// Moves, which the decoder chooses by their operands: copies, vectors packed into a word and taken out of one,
// addresses.
#pragma once

#include "runtime/emulator/alu/alu.hpp"

namespace jitc::emulator {

Alu copy_alu();
Alu not_alu();

/// dst = `count` elements of `width_bits` side by side, the first lowest; 2 × 16, 2 × 32 or 4 × 16.
Alu pack_alu(uint32_t count, uint32_t width_bits);

/// dst = src[0] >> src[1]: an element of a packed word, which its readers cut to their width.
Alu extract_alu();

/// dst = src[0] + src[1], src[0] - src[1]: between a window and the generic space.
Alu offset_alu();
Alu inverse_offset_alu();

/// dst = src[0], up to the next multiple of src[1] + 1, a power of two.
Alu align_up_alu();

/// dst = src[0] lies within src[2] bytes from src[1] on.
Alu in_window_alu();
/// dst = src[0] lies below src[1], where the windows begin.
Alu below_alu();

}  // namespace jitc::emulator
