// The tree that every reduction is, on every device.
#pragma once

#include <cstdint>

namespace jitc {

// The elements that become one value are cut into blocks of 4096, in C order, and a block into runs of 16. A run is
// folded from left to right: f(f(f(a[0], a[1]), a[2]), a[3]) …  The results of a block's runs, up to 256, are combined
// in pairs of neighbours, (0, 1), (2, 3) …, and the results of that again, until one is left; where the last one has
// no neighbour, it goes up as it is. The results of the blocks are elements that are reduced in the same way. A value
// that the caller gives (`initial`) is combined last, as the left operand: f(initial, result).

inline constexpr int64_t kReduceRun = 16;                          ///< elements
inline constexpr int64_t kReduceRuns = 256;                        ///< of a block
inline constexpr int64_t kReduceBlock = kReduceRun * kReduceRuns;  ///< elements

}  // namespace jitc
