// Which bits of a block's shared memory, or a thread's local memory, nothing has written yet.
#pragma once

#include <vector>

#include "runtime/emulator/alu/alu.hpp"

namespace jitc::emulator {

/// Undefined bits of a value, and whether it was computed from such rather than moved.
struct Undefined {
  Bits bits = 0;
  bool is_computed = false;
};

/// All is undefined at first. Offsets are within the size.
class ByteShadow {
 public:
  explicit ByteShadow(uint64_t size_bytes) : undefined_(size_bytes, 0xff), computed_(size_bytes, 0) {}

  /// Of the at most 8 bytes there, as a value.
  Undefined load(uint64_t offset, uint32_t size_bytes) const;
  void store(uint64_t offset, uint32_t size_bytes, const Undefined& value);
  /// As bytes that nothing has written.
  void forget(uint64_t offset, uint64_t size_bytes);
  /// Between two of the same place or of other ones, which do not overlap.
  static void copy(const ByteShadow& from, uint64_t from_offset, ByteShadow& to, uint64_t to_offset,
                   uint64_t size_bytes);

 private:
  std::vector<uint8_t> undefined_, computed_;
};

}  // namespace jitc::emulator
