#include "runtime/emulator/memory/undefined_bits.hpp"

namespace jitc::emulator {

UndefinedBits::UndefinedBits(uint64_t size_bytes) : bits_(std::make_unique<std::atomic<uint8_t>[]>(size_bytes)) {
  for (uint64_t i = 0; i < size_bytes; ++i) set_byte(i, 0xff);
}

void UndefinedBits::define(uint64_t offset, uint64_t size_bytes) {
  for (uint64_t i = 0; i < size_bytes; ++i) set_byte(offset + i, 0);
}

void UndefinedBits::copy(uint64_t offset, const UndefinedBits& from, uint64_t from_offset, uint64_t size_bytes) {
  const bool is_backward = &from == this && from_offset < offset;
  for (uint64_t i = 0; i < size_bytes; ++i) {
    const uint64_t at = is_backward ? size_bytes - 1 - i : i;
    set_byte(offset + at, from.of_byte(from_offset + at));
  }
}

}  // namespace jitc::emulator
