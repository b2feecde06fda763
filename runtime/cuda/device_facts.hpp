// What a device is and can do, read once.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/cuda/driver.hpp"

namespace jitc::runtime::cuda {

/// Sizes in bytes; limits are those of one launch.
struct DeviceFacts {
  CUdevice device = 0;
  std::string name;     ///< "cuda:0"
  std::string product;  ///< "NVIDIA H200"
  uint64_t memory_bytes = 0;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  int max_threads_per_block = 0;
  int max_block[3] = {};
  int max_grid[3] = {};
  int registers_per_block = 0;
  int shared_bytes = 0;        ///< most shared memory of a block without asking
  int shared_optin_bytes = 0;  ///< and after asking
  int max_pitch_bytes = 0;
  bool has_cooperative_launch = false;
  bool has_managed_memory = false;
  bool has_pools = false;

  int sm() const { return 10 * major + minor; }
  /// "sm_90"
  std::string target() const;
  /// "NVIDIA H200, sm_90, 132 multiprocessors, 139.7 GiB"
  std::string description() const;
  /// Why jitc cannot use it; empty when it can.
  std::string problem() const;
};

/// Makes no context. Throws DriverError.
DeviceFacts read_device_facts(const Driver& driver, int ordinal);

}  // namespace jitc::runtime::cuda
