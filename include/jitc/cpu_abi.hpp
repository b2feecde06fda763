// The calling convention between compiled CPU kernels and the CPU runtime, and the record a checked kernel leaves
// behind on either target.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jitc {

/// First failure of a launch. `state` goes 0 (none) -> 1 (claimed by one thread) -> 2 (complete), by atomics.
struct FailRecord {
  uint32_t state = 0;
  uint32_t site = 0;        ///< index into Artifact::fail_sites
  int64_t values[2] = {};   ///< index: the index as written and the extent
  uint32_t thread[3] = {};  ///< x, y, z
  uint32_t block[3] = {};
};
static_assert(sizeof(FailRecord) == 48 && offsetof(FailRecord, values) == 8 && offsetof(FailRecord, thread) == 24 &&
              offsetof(FailRecord, block) == 36);

struct CpuLaunch {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  FailRecord* fail = nullptr;  ///< null unless the kernel is checked
};
static_assert(sizeof(CpuLaunch) == 32 && offsetof(CpuLaunch, fail) == 24);

/// A compiled kernel: runs the blocks [block_begin, block_end) of the grid, numbered x fastest, then y, then z.
/// Re-entrant; different block ranges may run on different threads at once.
using CpuKernel = void (*)(const std::byte* params, const CpuLaunch* launch, uint64_t block_begin, uint64_t block_end);

}  // namespace jitc
