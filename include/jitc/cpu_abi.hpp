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

/// Bytes of scratch memory that one call of a kernel works in: its shared arrays and the launch's dynamic shared
/// memory, each rounded up to 64 bytes, then what it keeps per thread of a block, for whole warps. A cooperative
/// kernel, whose one call runs all blocks, has all of it for each of them. The two sizes are the Artifact's.
constexpr uint64_t cpu_scratch_size(uint64_t scratch_bytes, uint64_t scratch_bytes_per_thread, bool cooperative,
                                    const CpuLaunch& launch) {
  const auto round_up = [](uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; };
  const uint64_t threads = round_up(uint64_t{launch.block[0]} * launch.block[1] * launch.block[2], 32);
  const uint64_t blocks = cooperative ? uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2] : 1;
  return (round_up(scratch_bytes, 64) + round_up(launch.dynamic_shared_bytes, 64) +
          scratch_bytes_per_thread * threads) *
         blocks;
}

/// A compiled kernel: runs the blocks [block_begin, block_end) of the grid, numbered x fastest, then y, then z.
/// Re-entrant; different block ranges may run on different threads at once, but for a cooperative kernel. `scratch` is
/// cpu_scratch_size() bytes for this call alone, aligned to 64; null for a size of 0.
using CpuKernel = void (*)(const std::byte* params, const CpuLaunch* launch, uint64_t block_begin, uint64_t block_end,
                           std::byte* scratch);

/// What a kernel prints goes through a function of the runtime: `format` as printf's, of %lld, %llu, %f, %s and %c
/// alone, with one 8-byte argument for each.
using CpuPrint = void (*)(const char* format, const uint64_t* args);

}  // namespace jitc
