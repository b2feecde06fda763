#include "src/engine/scalar_fit.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace jitc::engine {

namespace {

/// Sign and magnitude hold every integer of every type.
struct Integer {
  bool negative = false;
  uint64_t magnitude = 0;
};

Integer integer_of(Scalar scalar) {
  if (!is_signed_int(scalar.dtype)) return {false, scalar.bits};
  const unsigned unused_bits = 64 - size_bits(scalar.dtype);
  const int64_t value = static_cast<int64_t>(scalar.bits << unused_bits) >> unused_bits;
  return {value < 0, value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value)};
}

double float_of(Scalar scalar) {
  if (scalar.dtype == DType::f4) return std::bit_cast<float>(static_cast<uint32_t>(scalar.bits));
  return std::bit_cast<double>(scalar.bits);
}

uint64_t low_bits(uint64_t bits, DType dtype) { return bits & (~uint64_t{0} >> (64 - size_bits(dtype))); }

std::optional<Scalar> integer_to_int(Integer value, DType wanted) {
  const uint64_t positive_limit = ~uint64_t{0} >> (64 - size_bits(wanted) + (is_signed_int(wanted) ? 1 : 0));
  const uint64_t limit = !value.negative ? positive_limit : is_signed_int(wanted) ? positive_limit + 1 : 0;
  if (value.magnitude > limit) return std::nullopt;
  const uint64_t bits = value.negative ? -value.magnitude : value.magnitude;
  return Scalar{wanted, low_bits(bits, wanted)};
}

std::optional<Scalar> integer_to_float(Integer value, DType wanted) {
  // Exact when the significant bits of the magnitude fit the significand.
  const int significand_bits = wanted == DType::f4 ? 24 : 53;
  const int used_bits = value.magnitude == 0 ? 0 : std::bit_width(value.magnitude) - std::countr_zero(value.magnitude);
  if (used_bits > significand_bits) return std::nullopt;
  const double magnitude = static_cast<double>(value.magnitude);
  const double result = value.negative ? -magnitude : magnitude;
  return wanted == DType::f4 ? Scalar::of(static_cast<float>(result)) : Scalar::of(result);
}

/// Halfway between the largest float and the power of two above it: from here on, rounding gives infinity.
constexpr double kFloatEnd = 0x1.ffffffp127;

std::optional<Scalar> float_to_float(double value, DType wanted) {
  if (wanted == DType::f8) return Scalar::of(value);
  // The range is checked first: a double beyond it has no float, and converting it is undefined.
  if (std::isfinite(value) && std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max()))
    return std::nullopt;
  const float narrow = static_cast<float>(value);
  if (static_cast<double>(narrow) != value && !std::isnan(value)) return std::nullopt;
  return Scalar::of(narrow);
}

}  // namespace

std::optional<Scalar> convert_scalar(Scalar scalar, DType wanted) {
  if (scalar.dtype == wanted) return scalar;
  if (is_float(scalar.dtype)) return is_float(wanted) ? float_to_float(float_of(scalar), wanted) : std::nullopt;
  if (is_int(wanted)) return integer_to_int(integer_of(scalar), wanted);
  if (is_float(wanted) && is_int(scalar.dtype)) return integer_to_float(integer_of(scalar), wanted);
  return std::nullopt;
}

std::optional<Scalar> adopt_scalar(Scalar scalar, DType wanted) {
  if (!is_float(wanted) || scalar.dtype == wanted) return convert_scalar(scalar, wanted);
  if (is_float(scalar.dtype)) {
    const double value = float_of(scalar);
    const bool rounds_to_finite = !std::isfinite(value) || std::fabs(value) < kFloatEnd;
    return rounds_to_finite ? std::optional(Scalar::of(static_cast<float>(value))) : std::nullopt;
  }
  const Integer value = integer_of(scalar);  // a bool is 0 or 1
  const double sign = value.negative ? -1 : 1;
  // Each conversion rounds once; negation is exact.
  return wanted == DType::f4 ? Scalar::of(static_cast<float>(sign) * static_cast<float>(value.magnitude))
                             : Scalar::of(sign * static_cast<double>(value.magnitude));
}

std::string value_text(Scalar scalar) {
  if (is_bool(scalar.dtype)) return scalar.bits != 0 ? "True" : "False";
  if (scalar.dtype == DType::f4) return fmt::format("{}", static_cast<float>(float_of(scalar)));
  if (scalar.dtype == DType::f8) return fmt::format("{}", float_of(scalar));
  const Integer value = integer_of(scalar);
  return fmt::format("{}{}", value.negative ? "-" : "", value.magnitude);
}

}  // namespace jitc::engine
