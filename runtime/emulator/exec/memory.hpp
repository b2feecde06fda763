// What the interpreter asks of memory. Bounds and lifetimes are the owner's: it knows allocations and blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// One lane's access, in an area that is not generic; the address counts in that area's own space.
struct MemoryRequest {
  Area area;
  bool is_write;
  uint32_t lane;
  uint64_t address;
  uint32_t size_bytes;
};

class Memory {
 public:
  virtual ~Memory() = default;
  /// The bytes asked for; null where they are not all there, or may not be written. Never called with area generic or
  /// with a misaligned address.
  virtual std::byte* find(const MemoryRequest& request) = 0;
};

}  // namespace jitc::emulator
