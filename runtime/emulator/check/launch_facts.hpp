// What a check knows of the launch that it watches.
#pragma once

#include <functional>
#include <string>

#include "runtime/emulator/exec/block.hpp"
#include "runtime/emulator/memory/address_map.hpp"

namespace jitc::emulator {

struct LaunchFacts {
  const LinkedProgram* program = nullptr;
  const AddressMap* memory = nullptr;
  Extent grid;
  Extent block;
  uint32_t shared_bytes = 0;  ///< of each block
  uint32_t local_bytes = 0;   ///< of each thread
  /// "x[12]", "offset 48 of shared memory": what an access was to.
  std::function<std::string(const Fault& access)> describe;
};

}  // namespace jitc::emulator
