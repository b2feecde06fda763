// The 16-bit floats as C++ types that hold them: float16 is IEEE 754's binary16 (NumPy's float16), bfloat16 the upper
// half of a float. They are storage: arithmetic is done in float or double, and converting back rounds once.
#pragma once

#include <bit>
#include <cstdint>

namespace jitc {

namespace detail {

/// Conversions of the binary formats of 16 bits with `kMantissaBits` stored bits of significand.
template <int kMantissaBits>
struct HalfFormat {
  static constexpr int kExponentBits = 15 - kMantissaBits;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr uint16_t kInfinity = static_cast<uint16_t>(((1 << kExponentBits) - 1) << kMantissaBits);

  /// To nearest, ties to even; beyond the range to an infinity.
  static constexpr uint16_t round(double value) {
    const auto all = std::bit_cast<uint64_t>(value);
    const auto sign = static_cast<uint16_t>(all >> 48 & 0x8000);
    const uint64_t magnitude = all & ~(uint64_t{1} << 63);
    constexpr uint64_t kHidden = uint64_t{1} << 52;
    if (magnitude > uint64_t{0x7ff} << 52) return sign | kInfinity | (1 << (kMantissaBits - 1));
    const int exponent = static_cast<int>(magnitude >> 52) - 1023;
    if (exponent > kBias) return sign | kInfinity;
    // Below the smallest normal exponent the last place stays where it is.
    constexpr int kLowest = 1 - kBias;
    const int dropped = 52 - kMantissaBits + (exponent < kLowest ? kLowest - exponent : 0);
    if (dropped > 54) return sign;  // below half of the smallest number
    const uint64_t significand = (magnitude & (kHidden - 1)) | kHidden;
    const uint64_t low = significand & ((uint64_t{1} << dropped) - 1), half = uint64_t{1} << (dropped - 1);
    uint64_t out = significand >> dropped;
    if (low > half || (low == half && (out & 1) != 0)) ++out;
    // A carry out of the significand is one more in the exponent, up to infinity.
    if (exponent >= kLowest) out += static_cast<uint64_t>(exponent + kBias - 1) << kMantissaBits;
    return static_cast<uint16_t>(sign | out);
  }

  /// Exact.
  static constexpr float widen(uint16_t bits) {
    constexpr uint32_t kMask = (1U << kMantissaBits) - 1;
    const uint32_t sign = uint32_t{bits} >> 15 << 31, mantissa = bits & kMask;
    const uint32_t exponent = (bits & kInfinity) >> kMantissaBits;
    if ((bits & kInfinity) == kInfinity) {
      return std::bit_cast<float>(sign | 0x7f800000 | mantissa << (23 - kMantissaBits));
    }
    if (exponent != 0) {
      return std::bit_cast<float>(sign | (exponent + 127 - kBias) << 23 | mantissa << (23 - kMantissaBits));
    }
    if constexpr (kBias == 127) return std::bit_cast<float>(sign | mantissa << (23 - kMantissaBits));
    const auto unit = std::bit_cast<float>(static_cast<uint32_t>(127 + 1 - kBias - kMantissaBits) << 23);
    return static_cast<float>(mantissa) * (sign != 0 ? -unit : unit);
  }
};

}  // namespace detail

template <int kMantissaBits>
class HalfFloat {
 public:
  constexpr HalfFloat() = default;
  /// Rounds once, to nearest even. A float's value is a double's: one constructor serves both.
  explicit constexpr HalfFloat(double value) : bits_(Format::round(value)) {}

  static constexpr HalfFloat from_bits(uint16_t bits) {
    HalfFloat out;
    out.bits_ = bits;
    return out;
  }
  constexpr uint16_t bits() const { return bits_; }

  /// Exact.
  explicit constexpr operator float() const { return Format::widen(bits_); }
  explicit constexpr operator double() const { return static_cast<double>(Format::widen(bits_)); }

  /// As numbers: a NaN equals nothing, and -0 equals 0.
  friend constexpr bool operator==(HalfFloat a, HalfFloat b) { return float(a) == float(b); }

 private:
  using Format = detail::HalfFormat<kMantissaBits>;

  uint16_t bits_ = 0;
};

using float16 = HalfFloat<10>;
using bfloat16 = HalfFloat<7>;

}  // namespace jitc
