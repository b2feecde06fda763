// Where generic addresses point. Global and constant memory are at the host's own addresses; the other spaces have
// windows that no host address lies in (x86-64 and AArch64 use at most 57 bits).
#pragma once

#include <cstdint>

namespace jitc::emulator {

/// A part of the generic address space; an address in its own space counts from `base`.
struct Window {
  uint64_t base;
  uint64_t size_bytes;

  bool contains(uint64_t address) const { return address - base < size_bytes; }
};

constexpr Window kSharedWindow = {uint64_t{1} << 60, uint64_t{1} << 32};
constexpr Window kLocalWindow = {uint64_t{2} << 60, uint64_t{1} << 32};
constexpr Window kParamWindow = {uint64_t{3} << 60, uint64_t{1} << 32};
/// Addresses of functions; kFunctionBytes apart, in the order of the text.
constexpr Window kFunctionWindow = {uint64_t{4} << 60, uint64_t{1} << 32};
constexpr uint64_t kFunctionBytes = 16;

}  // namespace jitc::emulator
