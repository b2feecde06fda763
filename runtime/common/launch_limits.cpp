#include "runtime/common/launch_limits.hpp"

#include "runtime/common/error.hpp"

namespace jitc::runtime {

namespace {

// As kMaxGrid.
constexpr uint32_t kMaxBlock[3] = {1024, 1024, 64};
constexpr uint64_t kMaxThreadsPerBlock = 1024;
// The most that any of them gives a block: compute capability 9.0.
constexpr uint64_t kMaxSharedBytes = 227 * 1024;
// All blocks of a cooperative launch run at once: 32 on each multiprocessor, and no GPU has more than 256 of those.
constexpr uint64_t kMaxCooperativeBlocks = 32 * 256;

void check_axes(std::string_view kernel, const char* what, Dim3 dim, const uint32_t (&limits)[3]) {
  const uint32_t values[3] = {dim.x, dim.y, dim.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (values[axis] >= 1 && values[axis] <= limits[axis]) continue;
    fail(ErrorCode::launch, "invalid configuration of kernel '{}': {}.{} is {}, it must be from 1 to {}", kernel, what,
         "xyz"[axis], values[axis], limits[axis]);
  }
}

}  // namespace

std::optional<uint32_t> blocks_for(int64_t count, uint32_t block) {
  const int64_t blocks = (count - 1) / block + 1;
  return blocks <= int64_t{kMaxGrid[0]} ? std::optional(static_cast<uint32_t>(blocks)) : std::nullopt;
}

void validate_launch(std::string_view kernel, const LaunchNeeds& needs, const LaunchConfig& config) {
  check_axes(kernel, "grid", config.grid, kMaxGrid);
  check_axes(kernel, "block", config.block, kMaxBlock);
  const Dim3 block = config.block;
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  const bool own_limit = needs.max_threads_per_block < kMaxThreadsPerBlock;
  const uint64_t limit = own_limit ? needs.max_threads_per_block : kMaxThreadsPerBlock;
  if (threads > limit) {
    fail(ErrorCode::launch, "invalid configuration of kernel '{}': a block of ({}, {}, {}) has {} threads, {} {}",
         kernel, block.x, block.y, block.z, threads, own_limit ? "the kernel's launch bounds allow" : "the limit is",
         limit);
  }
  if (needs.static_shared_bytes + config.dynamic_shared_bytes > kMaxSharedBytes) {
    fail(
        ErrorCode::launch,
        "invalid configuration of kernel '{}': {} bytes of dynamic shared memory beside the kernel's own {}, the limit "
        "is {} together",
        kernel, config.dynamic_shared_bytes, needs.static_shared_bytes, kMaxSharedBytes);
  }
  const uint64_t plane = uint64_t{config.grid.y} * config.grid.z;
  if (needs.cooperative && (plane > kMaxCooperativeBlocks || config.grid.x * plane > kMaxCooperativeBlocks)) {
    fail(ErrorCode::launch,
         "invalid configuration of kernel '{}': a grid of ({}, {}, {}) for a kernel that waits for its whole grid, "
         "whose "
         "blocks must all run at once; the limit is {} blocks",
         kernel, config.grid.x, config.grid.y, config.grid.z, kMaxCooperativeBlocks);
  }
}

}  // namespace jitc::runtime
