#include "runtime/cuda/launch_checks.hpp"

#include <algorithm>

#include "runtime/common/error.hpp"

namespace jitc::runtime::cuda {

namespace {

uint64_t thread_count(Dim3 block) { return uint64_t{block.x} * block.y * block.z; }

void check_axes(const CudaKernel& kernel, const char* what, Dim3 dim, const int (&limits)[3]) {
  const uint32_t values[3] = {dim.x, dim.y, dim.z};
  for (int axis = 0; axis < 3; ++axis) {
    if (std::cmp_less_equal(values[axis], limits[axis])) continue;
    fail(ErrorCode::launch, "{}: {}.{} is {}, {} takes up to {}", kernel.title(), what, "xyz"[axis], values[axis],
         kernel.device()->facts.name, limits[axis]);
  }
}

/// The driver's limit for the kernel comes from its registers, or is the device's.
void check_threads(const CudaKernel& kernel, Dim3 block) {
  const DeviceFacts& facts = kernel.device()->facts;
  const KernelResources resources = kernel.resources();
  const uint64_t threads = thread_count(block);
  const uint64_t registers = threads * resources.registers_per_thread;
  if (threads <= resources.max_threads_per_block && std::cmp_less_equal(threads, facts.max_threads_per_block)) return;
  const uint32_t most =
      std::min(resources.max_threads_per_block, static_cast<uint32_t>(std::max(facts.max_threads_per_block, 0)));
  if (std::cmp_greater(registers, facts.registers_per_block)) {
    fail(ErrorCode::launch,
         "{}: a block of {} threads with {} registers each needs {} registers, {} has {} for a block: use at most {} "
         "threads, or give the kernel launch bounds of {}",
         kernel.title(), threads, resources.registers_per_thread, registers, facts.name, facts.registers_per_block,
         most, threads);
  }
  fail(ErrorCode::launch, "{}: a block has {} threads, the kernel runs with at most {} on {}", kernel.title(), threads,
       most, facts.name);
}

void check_shared(const CudaKernel& kernel, uint32_t dynamic_shared_bytes) {
  const DeviceFacts& facts = kernel.device()->facts;
  const uint64_t own = kernel.resources().static_shared_bytes;
  const int limit = std::max(facts.shared_bytes, facts.shared_optin_bytes);
  if (std::cmp_less_equal(own + dynamic_shared_bytes, limit)) return;
  fail(ErrorCode::launch,
       "{}: {} bytes of dynamic shared memory beside the kernel's own {} are {} together, {} has {} for a block: ask "
       "for at most {}",
       kernel.title(), dynamic_shared_bytes, own, own + dynamic_shared_bytes, facts.name, limit,
       std::max<int64_t>(limit - static_cast<int64_t>(own), 0));
}

/// More than the usual limit is only given to kernels for which it was asked.
void allow_shared(const CudaKernel& kernel, uint32_t dynamic_shared_bytes) {
  DeviceState& device = *kernel.device();
  const uint32_t own = kernel.resources().static_shared_bytes;
  if (std::cmp_less_equal(uint64_t{own} + dynamic_shared_bytes, device.facts.shared_bytes)) return;
  if (dynamic_shared_bytes <= kernel.allowed_dynamic_shared_bytes()) return;
  const uint32_t most = static_cast<uint32_t>(device.facts.shared_optin_bytes) - own;
  const ContextScope scope(device.context);
  const Driver& driver = device.driver();
  device.context.check(
      driver.cuFuncSetAttribute,
      driver.cuFuncSetAttribute(kernel.parts().function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                static_cast<int>(most)),
      "allowing {} bytes of dynamic shared memory to {}", most, kernel.title());
  kernel.allowed_dynamic_shared_bytes() = most;
}

/// All blocks of the grid must run at once.
void check_cooperative(const CudaKernel& kernel, const LaunchConfig& config) {
  DeviceState& device = *kernel.device();
  if (!device.facts.has_cooperative_launch) {
    fail(ErrorCode::launch, "{} waits for its whole grid, which {} ({}) cannot do: no cooperative launches",
         kernel.title(), device.facts.name, device.facts.product);
  }
  const uint64_t blocks = uint64_t{config.grid.x} * config.grid.y * config.grid.z;
  const auto threads = static_cast<int>(thread_count(config.block));
  const ContextScope scope(device.context);
  const Driver& driver = device.driver();
  int per_multiprocessor = 0;
  device.context.check(driver.cuOccupancyMaxActiveBlocksPerMultiprocessor,
                       driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel.parts().function,
                                                                          threads, config.dynamic_shared_bytes),
                       "asking how many blocks of {} run at once", kernel.title());
  const int64_t most = int64_t{per_multiprocessor} * device.facts.multiprocessors;
  if (std::cmp_less_equal(blocks, most)) return;
  fail(ErrorCode::launch,
       "{} waits for its whole grid, so that all blocks must run at once: {} were asked for, and {} runs at most {} of "
       "{} threads ({} on each of {} multiprocessors); use fewer or smaller blocks",
       kernel.title(), blocks, device.facts.name, most, threads, per_multiprocessor, device.facts.multiprocessors);
}

}  // namespace

void check_launch(const CudaKernel& kernel, const LaunchConfig& config) {
  const DeviceFacts& facts = kernel.device()->facts;
  check_axes(kernel, "grid", config.grid, facts.max_grid);
  check_axes(kernel, "block", config.block, facts.max_block);
  check_threads(kernel, config.block);
  check_shared(kernel, config.dynamic_shared_bytes);
  allow_shared(kernel, config.dynamic_shared_bytes);
  if (kernel.artifact()->cooperative) check_cooperative(kernel, config);
}

uint32_t best_block(const CudaKernel& kernel, uint32_t dynamic_shared_bytes) {
  const uint64_t memo = kernel.best_block_memo();
  if (memo != 0 && memo >> 32 == dynamic_shared_bytes) return static_cast<uint32_t>(memo);
  DeviceState& device = *kernel.device();
  check_shared(kernel, dynamic_shared_bytes);
  allow_shared(kernel, dynamic_shared_bytes);
  const ContextScope scope(device.context);
  const Driver& driver = device.driver();
  const uint32_t limit = kernel.resources().max_threads_per_block;
  int grid = 0;
  int block = 0;
  device.context.check(driver.cuOccupancyMaxPotentialBlockSize,
                       driver.cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel.parts().function, nullptr,
                                                               dynamic_shared_bytes, static_cast<int>(limit)),
                       "asking for the best block of {}", kernel.title());
  const uint32_t best = std::clamp(static_cast<uint32_t>(std::max(block, 1)), uint32_t{1}, std::max(limit, 1U));
  kernel.best_block_memo() = uint64_t{dynamic_shared_bytes} << 32 | best;
  return best;
}

}  // namespace jitc::runtime::cuda
