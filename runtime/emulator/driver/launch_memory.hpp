// What the threads of one block see as memory.
#pragma once

#include <vector>

#include "runtime/emulator/driver/execute.hpp"
#include "runtime/emulator/exec/memory.hpp"

namespace jitc::emulator::driver {

/// Blocks and warps use it one after the other.
class LaunchMemory : public Memory {
 public:
  explicit LaunchMemory(const KernelLaunch& launch);

  /// Shared and local memory hold no numbers of others that a program could go on with.
  void begin_block();
  void begin_warp();
  uint32_t local_bytes() const { return local_bytes_; }

  std::byte* find(const MemoryRequest& request) override;
  /// ": 4 bytes at 0x…: behind the end of …"; empty for a fault that is none of memory.
  std::string explain(const Fault& fault) const;

 private:
  const KernelLaunch& launch_;
  AddressReader global_;
  uint32_t local_bytes_;
  std::vector<std::byte> shared_, local_, params_;
};

}  // namespace jitc::emulator::driver
