// The order in which a contraction is summed, on every device: docs/design/contractions.md.
#pragma once

#include <cstdint>

namespace jitc {

/// Products of so many neighbouring k are summed from the first to the last, starting at 0; the sums of the blocks are
/// then added one after the other, again from the first.
inline constexpr int64_t kContractBlock = 256;

}  // namespace jitc
