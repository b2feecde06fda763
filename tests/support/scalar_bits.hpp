// Between the bits of a scalar and C++ values.
#pragma once

#include <bit>
#include <cstdint>

#include "jitc/dtype.hpp"
#include "src/base/int128.hpp"

namespace jitc::reference {

using base::Int128;

/// The low bits that a value of the type occupies.
constexpr uint64_t mask_of(DType t) { return ~uint64_t{0} >> (64 - size_bits(t)); }

inline Int128 int_of(DType t, uint64_t bits) {
  const unsigned unused = 64 - size_bits(t);
  if (is_signed_int(t)) return static_cast<int64_t>(bits << unused) >> unused;
  return bits & mask_of(t);
}
/// Wraps modulo 2^width.
inline uint64_t bits_of_int(DType t, Int128 value) { return static_cast<uint64_t>(value) & mask_of(t); }

template <class Float>
Float float_of(uint64_t bits) {
  if constexpr (sizeof(Float) == 4)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else
    return std::bit_cast<double>(bits);
}
inline uint64_t bits_of_float(float value) { return std::bit_cast<uint32_t>(value); }
inline uint64_t bits_of_float(double value) { return std::bit_cast<uint64_t>(value); }

}  // namespace jitc::reference
