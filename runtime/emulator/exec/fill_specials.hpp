// What the special registers of a warp hold.
#pragma once

#include "runtime/emulator/exec/block.hpp"

namespace jitc::emulator {

/// Of warp number `index` of the block at `place`.
void fill_specials(const BlockPlace& place, uint32_t index, uint32_t static_shared_bytes, Warp& warp);

}  // namespace jitc::emulator
