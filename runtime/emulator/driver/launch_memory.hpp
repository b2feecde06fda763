// What the threads of one block see as memory.
#pragma once

#include <memory>
#include <vector>

#include "runtime/emulator/driver/execute.hpp"
#include "runtime/emulator/exec/memory.hpp"

namespace jitc::emulator::driver {

/// What all blocks of a launch have in common.
struct LaunchSizes {
  explicit LaunchSizes(const KernelLaunch& launch);

  uint32_t shared_bytes;
  uint32_t local_bytes;  ///< of each thread: the entry's frame and the stack
  uint32_t count_warps;
};

/// What an access was to: an element of an argument, part of an allocation, an offset in a space of the block's.
std::string describe(const KernelLaunch& launch, const Fault& access);

/// One block's; used again by a later one. Not moved: the warps' memories refer to it.
class LaunchMemory {
 public:
  explicit LaunchMemory(const KernelLaunch& launch);
  ~LaunchMemory();
  LaunchMemory(const LaunchMemory&) = delete;
  LaunchMemory& operator=(const LaunchMemory&) = delete;

  /// Shared memory and the entry's frames hold no numbers of others that a program could go on with. Frames of calls
  /// find what calls before them left, as on a device.
  void begin_block();
  /// One for each warp.
  const std::vector<Memory*>& warps() const { return pointers_; }
  const LaunchSizes& sizes() const { return sizes_; }
  /// ": 4 bytes at 0x…: behind the end of …"; empty for a fault that is none of memory.
  std::string explain(const Fault& fault) const;

 private:
  class WarpMemory;

  const KernelLaunch& launch_;
  LaunchSizes sizes_;
  std::vector<std::byte> shared_, params_;
  std::vector<std::unique_ptr<WarpMemory>> warps_;
  std::vector<Memory*> pointers_;
};

}  // namespace jitc::emulator::driver
