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
  uint64_t dynamic_shared_bytes = 0;
};
static_assert(sizeof(CpuLaunch) == 40 && offsetof(CpuLaunch, fail) == 24 &&
              offsetof(CpuLaunch, dynamic_shared_bytes) == 32);

/// Of the scratch memory that a kernel keeps per thread, there is this much times what it asks for: a block's threads,
/// rounded up to whole warps.
constexpr uint64_t cpu_scratch_threads(const CpuLaunch& launch) {
  return (uint64_t{launch.block[0]} * launch.block[1] * launch.block[2] + 31) / 32 * 32;
}

/// A compiled kernel: runs the blocks [block_begin, block_end) of the grid, numbered x fastest, then y, then z.
/// Re-entrant; different block ranges may run on different threads at once, but for a cooperative kernel, whose one
/// call runs all blocks. `scratch` is memory of this call alone, aligned to 64 bytes: its size is
/// Artifact::cpu_scratch_bytes, the dynamic shared bytes, and cpu_scratch_bytes_per_thread for each of
/// cpu_scratch_threads() (of the whole grid for a cooperative kernel), each part rounded up to 64 bytes, in this order.
using CpuKernel = void (*)(const std::byte* params, const CpuLaunch* launch, uint64_t block_begin, uint64_t block_end,
                           std::byte* scratch);

/// What a kernel prints goes through a function of the runtime: `format` as printf's, of %lld, %llu, %f and %s alone,
/// with one 8-byte argument for each.
using CpuPrint = void (*)(const char* format, const uint64_t* args);

}  // namespace jitc
