#include "src/engine/scalar_fit.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "jitc/float_bits.hpp"

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

double float_of(Scalar scalar) { return float_from_bits(scalar.dtype, scalar.bits); }

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
  const int used_bits = value.magnitude == 0 ? 0 : std::bit_width(value.magnitude) - std::countr_zero(value.magnitude);
  if (used_bits > significand_bits(wanted)) return std::nullopt;
  const double magnitude = static_cast<double>(value.magnitude);
  if (magnitude > largest_finite(wanted)) return std::nullopt;
  return Scalar{wanted, float_to_bits(wanted, value.negative ? -magnitude : magnitude)};
}

/// The nearest value of `wanted`. What a double has no room for stays as one bit, which says on which side of a tie of
/// a narrower type the integer lies.
double round_once(uint64_t magnitude, DType wanted) {
  constexpr uint64_t kNoRoom = 0x7ff;
  if (wanted == DType::f8 || magnitude >> 53 == 0) return round_to(wanted, static_cast<double>(magnitude));
  const uint64_t sticky = (magnitude & kNoRoom) != 0 ? kNoRoom + 1 : 0;
  return round_to(wanted, static_cast<double>((magnitude & ~kNoRoom) | sticky));
}

std::optional<Scalar> float_to_float(double value, DType wanted) {
  if (round_to(wanted, value) != value && !std::isnan(value)) return std::nullopt;
  return Scalar{wanted, float_to_bits(wanted, value)};
}

/// A real number has no imaginary part, which is zero.
std::optional<Scalar> part_by_part(Scalar scalar, DType wanted, std::optional<Scalar> (*convert)(Scalar, DType)) {
  const DType part = part_type(scalar.dtype), wanted_part = part_type(wanted);
  const auto real = convert({part, scalar.bits}, wanted_part);
  const auto imag = is_complex(scalar.dtype) ? convert({part, scalar.imag_bits}, wanted_part) : Scalar{wanted_part};
  if (!real || !imag) return std::nullopt;
  return Scalar{wanted, real->bits, imag->bits};
}

}  // namespace

std::optional<Scalar> convert_scalar(Scalar scalar, DType wanted) {
  if (scalar.dtype == wanted) return scalar;
  if (is_complex(wanted)) return part_by_part(scalar, wanted, convert_scalar);
  if (is_complex(scalar.dtype)) return std::nullopt;
  if (is_float(scalar.dtype)) return is_float(wanted) ? float_to_float(float_of(scalar), wanted) : std::nullopt;
  if (is_int(wanted)) return integer_to_int(integer_of(scalar), wanted);
  if (is_float(wanted) && is_int(scalar.dtype)) return integer_to_float(integer_of(scalar), wanted);
  return std::nullopt;
}

std::optional<Scalar> adopt_scalar(Scalar scalar, DType wanted) {
  if (is_complex(wanted)) return part_by_part(scalar, wanted, adopt_scalar);
  if (is_complex(scalar.dtype)) return convert_scalar(scalar, wanted);
  if (!is_float(wanted) || scalar.dtype == wanted) return convert_scalar(scalar, wanted);
  if (is_float(scalar.dtype)) {
    const double value = float_of(scalar);
    const bool overflows = std::isfinite(value) && !std::isfinite(round_to(wanted, value));
    return overflows ? std::nullopt : std::optional(Scalar{wanted, float_to_bits(wanted, value)});
  }
  const Integer value = integer_of(scalar);  // a bool is 0 or 1
  const double magnitude = round_once(value.magnitude, wanted);
  if (!std::isfinite(magnitude)) return std::nullopt;
  return Scalar{wanted, float_to_bits(wanted, value.negative ? -magnitude : magnitude)};
}

std::string value_text(Scalar scalar) {
  if (is_bool(scalar.dtype)) return scalar.bits != 0 ? "True" : "False";
  if (is_complex(scalar.dtype)) {
    const DType part = part_type(scalar.dtype);
    const std::string imag = value_text({part, scalar.imag_bits});
    return fmt::format("{}{}{}j", value_text({part, scalar.bits}), imag.front() == '-' ? "" : "+", imag);
  }
  if (scalar.dtype == DType::f8) return fmt::format("{}", float_of(scalar));
  if (is_float(scalar.dtype)) return fmt::format("{}", static_cast<float>(float_of(scalar)));
  const Integer value = integer_of(scalar);
  return fmt::format("{}{}", value.negative ? "-" : "", value.magnitude);
}

}  // namespace jitc::engine
