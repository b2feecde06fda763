// Which bits of an allocation nothing has written yet.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace jitc::emulator {

/// At first all are undefined. Kernels of several streams may write at once.
class UndefinedBits {
 public:
  explicit UndefinedBits(uint64_t size_bytes);

  uint8_t of_byte(uint64_t offset) const { return bits_[offset].load(std::memory_order_relaxed); }
  void set_byte(uint64_t offset, uint8_t undefined) { bits_[offset].store(undefined, std::memory_order_relaxed); }
  void define(uint64_t offset, uint64_t size_bytes);
  /// From bytes of another allocation, or of this one, which may overlap.
  void copy(uint64_t offset, const UndefinedBits& from, uint64_t from_offset, uint64_t size_bytes);

 private:
  std::unique_ptr<std::atomic<uint8_t>[]> bits_;
};

}  // namespace jitc::emulator
