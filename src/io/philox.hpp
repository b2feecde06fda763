// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
// 1, 2, 3" (SC 2011): element i of seed s is a pure function of (s, i), in any order and on any machine.
#pragma once

#include <array>
#include <cstdint>

namespace jitc::io {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

/// Ten rounds.
PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key);

/// 128 random bits of element `index` under `seed`, as two words.
std::array<uint64_t, 2> random_words(uint64_t seed, uint64_t index);

}  // namespace jitc::io
