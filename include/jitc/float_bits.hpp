// Values of the real types, f2, bf16, f4 and f8, as numbers and as the bits that memory holds.
#pragma once

#include <bit>
#include <cstdint>

#include "jitc/dtype.hpp"

namespace jitc {

/// The value of a real type's bits. Exact.
constexpr double float_from_bits(DType dtype, uint64_t bits) {
  switch (dtype) {
    case DType::f2: return double(float16::from_bits(static_cast<uint16_t>(bits)));
    case DType::bf16: return double(bfloat16::from_bits(static_cast<uint16_t>(bits)));
    case DType::f4: return std::bit_cast<float>(static_cast<uint32_t>(bits));
    default: return std::bit_cast<double>(bits);
  }
}

/// `value` as a real type, rounded once; beyond the type's range it is infinite.
constexpr uint64_t float_to_bits(DType dtype, double value) {
  switch (dtype) {
    case DType::f2: return float16(value).bits();
    case DType::bf16: return bfloat16(value).bits();
    case DType::f4: return std::bit_cast<uint32_t>(static_cast<float>(value));
    default: return std::bit_cast<uint64_t>(value);
  }
}

constexpr double round_to(DType dtype, double value) { return float_from_bits(dtype, float_to_bits(dtype, value)); }

/// Bits of the significand, with the one before the point.
constexpr int significand_bits(DType dtype) {
  return dtype == DType::f2 ? 11 : dtype == DType::bf16 ? 8 : dtype == DType::f4 ? 24 : 53;
}

constexpr double largest_finite(DType dtype) {
  const int exponent_bits = static_cast<int>(size_bits(dtype)) - significand_bits(dtype);
  // All ones but in the last bit of the exponent.
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1) << (significand_bits(dtype) - 1);
  return float_from_bits(dtype, infinity - 1);
}

}  // namespace jitc
