#include "runtime/emulator/check/byte_shadow.hpp"

#include <algorithm>

namespace jitc::emulator {

Undefined ByteShadow::load(uint64_t offset, uint32_t size_bytes) const {
  Undefined value;
  for (uint32_t i = 0; i < size_bytes; ++i) {
    value.bits |= Bits{undefined_[offset + i]} << 8 * i;
    value.is_computed |= computed_[offset + i] != 0;
  }
  return value;
}

void ByteShadow::store(uint64_t offset, uint32_t size_bytes, const Undefined& value) {
  for (uint32_t i = 0; i < size_bytes; ++i) {
    undefined_[offset + i] = static_cast<uint8_t>(value.bits >> 8 * i);
    computed_[offset + i] = value.is_computed;
  }
}

void ByteShadow::forget(uint64_t offset, uint64_t size_bytes) {
  std::fill_n(undefined_.begin() + static_cast<std::ptrdiff_t>(offset), size_bytes, 0xff);
  std::fill_n(computed_.begin() + static_cast<std::ptrdiff_t>(offset), size_bytes, 0);
}

void ByteShadow::copy(const ByteShadow& from, uint64_t from_offset, ByteShadow& to, uint64_t to_offset,
                      uint64_t size_bytes) {
  for (uint64_t i = 0; i < size_bytes; ++i) {
    to.undefined_[to_offset + i] = from.undefined_[from_offset + i];
    to.computed_[to_offset + i] = from.computed_[from_offset + i];
  }
}

}  // namespace jitc::emulator
