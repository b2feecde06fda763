#include "runtime/emulator/alu/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace jitc::emulator {
namespace {

constexpr FloatFormat kHalf = {11, 15, 16}, kBrainHalf = {8, 127, 16}, kSingle = {24, 127, 32},
                      kDouble = {53, 1023, 64}, kTensorSingle = {11, 127, 32};

int bit_width(Unsigned128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<uint64_t>(value));
}

/// A significand cut to an integer: what is left, and what was cut off.
struct Cut {
  Unsigned128 kept;
  bool half;  ///< the first bit that was cut off
  bool rest;  ///< whether any other was set
};

Cut cut_low_bits(Unsigned128 value, int count, bool has_tail) {
  if (count <= 0) return {value << -count, false, has_tail};
  if (count > 128) return {0, false, value != 0 || has_tail};
  const Unsigned128 half_bit = Unsigned128{1} << (count - 1);
  return {count == 128 ? 0 : value >> count, (value & half_bit) != 0, (value & (half_bit - 1)) != 0 || has_tail};
}

bool rounds_away(const Cut& cut, bool is_negative, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest_even: return cut.half && (cut.rest || (cut.kept & 1) != 0);
    case Rounding::nearest_away: return cut.half;
    case Rounding::toward_zero: return false;
    case Rounding::up: return !is_negative && (cut.half || cut.rest);
    case Rounding::down: return is_negative && (cut.half || cut.rest);
  }
  return false;
}

Bits overflow(bool is_negative, const FloatFormat& format, Rounding rounding) {
  const bool stays_finite =
      rounding == Rounding::toward_zero || rounding == (is_negative ? Rounding::up : Rounding::down);
  return stays_finite ? format.infinity() - 1 : format.infinity();
}

/// Magnitude bits of a finite value.
Bits round_finite(const Exact& value, const FloatFormat& format, Rounding rounding) {
  const int top = value.exponent + bit_width(value.significand) - 1;
  const int least_place = 1 - format.max_exponent - format.mantissa_bits();
  int place = std::max(top - format.mantissa_bits(), least_place);
  const Cut cut = cut_low_bits(value.significand, place - value.exponent, value.has_tail);
  auto kept = static_cast<Bits>(cut.kept) + (rounds_away(cut, value.is_negative, rounding) ? 1 : 0);
  if (kept >> format.precision != 0) {
    kept >>= 1;
    ++place;
  }
  if (kept >> format.mantissa_bits() == 0) return kept;
  const int biased = place - least_place + 1;
  if (biased > 2 * format.max_exponent) return overflow(value.is_negative, format, rounding);
  return (static_cast<Bits>(biased) << format.mantissa_bits()) + kept - (Bits{1} << format.mantissa_bits());
}

Exact special(Exact::Kind kind, bool is_negative) { return {kind, is_negative, false, 0, 0}; }
Exact not_a_number() { return special(Exact::nan, false); }

/// Moves the significand so that its highest bit is bit `top`.
Exact aligned(Exact value, int top) {
  const int shift = top + 1 - bit_width(value.significand);
  const Cut cut = cut_low_bits(value.significand, -shift, value.has_tail);
  return {value.kind, value.is_negative, cut.half || cut.rest, value.exponent - shift, cut.kept};
}

/// a + b for finite values, |a| having the higher place. Both have their highest bit at 125, so that a carry fits and
/// all that is cut from b lies below what a rounding of the sum can see.
Exact add_finite(const Exact& a, const Exact& b) {
  const Cut cut = cut_low_bits(b.significand, a.exponent - b.exponent, b.has_tail);
  Exact sum = a;
  sum.has_tail = cut.half || cut.rest;
  if (a.is_negative == b.is_negative) {
    sum.significand += cut.kept;
    return sum;
  }
  const Unsigned128 taken = cut.kept + (sum.has_tail ? 1 : 0);
  sum.is_negative = taken > a.significand ? b.is_negative : a.is_negative;
  sum.significand = taken > a.significand ? taken - a.significand : a.significand - taken;
  return sum;
}

/// So many that a root of the quotient sees all it needs. The remainder is below the divisor's 64 bits and is shifted
/// by what the quotient lacks, which is less than 64.
constexpr int kQuotientBits = 126;

/// floor(sqrt(value)), a bit at a time.
Unsigned128 integer_root(Unsigned128 value) {
  Unsigned128 root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const Unsigned128 tried = root | Unsigned128{1} << bit;
    if (tried * tried <= value) root = tried;
  }
  return root;
}

}  // namespace

Bits FloatFormat::infinity() const { return static_cast<Bits>(2 * max_exponent + 1) << mantissa_bits(); }

Bits FloatFormat::canonical_nan() const { return width_bits == 64 ? infinity() | Bits{1} << 51 : sign_bit() - 1; }

const FloatFormat& format_of(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2: return kHalf;
    case Type::bf16:
    case Type::bf16x2: return kBrainHalf;
    case Type::tf32: return kTensorSingle;
    case Type::f64: return kDouble;
    default: return kSingle;
  }
}

Exact exact_of(Bits bits, const FloatFormat& format) {
  const Bits magnitude = format.magnitude(bits);
  const bool is_negative = (bits & format.sign_bit()) != 0;
  if (magnitude == 0) return special(Exact::zero, is_negative);
  if (magnitude > format.infinity()) return not_a_number();
  if (magnitude == format.infinity()) return special(Exact::infinite, is_negative);
  const Bits hidden = Bits{1} << format.mantissa_bits();
  const int biased = static_cast<int>(magnitude >> format.mantissa_bits());
  const Bits significand = (magnitude & (hidden - 1)) | (biased != 0 ? hidden : 0);
  const int exponent = std::max(biased, 1) - format.max_exponent - format.mantissa_bits();
  return {Exact::finite, is_negative, false, exponent, significand};
}

Exact exact_of(long double value) {
  const bool is_negative = std::signbit(value);
  if (std::isnan(value)) return not_a_number();
  if (std::isinf(value)) return special(Exact::infinite, is_negative);
  if (value == 0) return special(Exact::zero, is_negative);
  int exponent = 0;
  const long double fraction = std::frexp(std::fabs(value), &exponent);
  const auto high = static_cast<uint64_t>(std::ldexp(fraction, 64));
  const long double rest = std::ldexp(fraction, 64) - static_cast<long double>(high);
  return {Exact::finite, is_negative, rest != 0, exponent - 64, high};
}

Exact exact_of(Unsigned128 magnitude, bool is_negative) {
  return {magnitude == 0 ? Exact::zero : Exact::finite, is_negative && magnitude != 0, false, 0, magnitude};
}

Bits round_to(const Exact& value, const FloatFormat& format, Rounding rounding) {
  const Bits sign = value.is_negative ? format.sign_bit() : 0;
  switch (value.kind) {
    case Exact::nan: return format.canonical_nan();
    case Exact::infinite: return sign | format.infinity();
    case Exact::zero: return sign;
    case Exact::finite: return sign | round_finite(value, format, rounding);
  }
  return sign;
}

Exact round_to_integer(const Exact& value, Rounding rounding) {
  if (value.kind != Exact::finite || value.exponent >= 0) return value;
  const Cut cut = cut_low_bits(value.significand, -value.exponent, value.has_tail);
  const Unsigned128 kept = cut.kept + (rounds_away(cut, value.is_negative, rounding) ? 1 : 0);
  return {kept == 0 ? Exact::zero : Exact::finite, value.is_negative, false, 0, kept};
}

Exact add(const Exact& a, const Exact& b, Rounding rounding) {
  if (a.kind == Exact::nan || b.kind == Exact::nan) return not_a_number();
  if (a.kind == Exact::infinite || b.kind == Exact::infinite) {
    const bool is_undefined = a.kind == b.kind && a.is_negative != b.is_negative;
    return is_undefined ? not_a_number() : a.kind == Exact::infinite ? a : b;
  }
  if (a.kind == Exact::zero && b.kind == Exact::zero) {
    const bool is_negative =
        rounding == Rounding::down ? a.is_negative || b.is_negative : a.is_negative && b.is_negative;
    return special(Exact::zero, is_negative);
  }
  if (a.kind == Exact::zero || b.kind == Exact::zero) return a.kind == Exact::zero ? b : a;
  constexpr int kTop = 125;
  const Exact left = aligned(a, kTop), right = aligned(b, kTop);
  const Exact sum = left.exponent >= right.exponent ? add_finite(left, right) : add_finite(right, left);
  return sum.significand == 0 && !sum.has_tail ? special(Exact::zero, rounding == Rounding::down) : sum;
}

Exact multiply(const Exact& a, const Exact& b) {
  const bool is_negative = a.is_negative != b.is_negative;
  const bool has_infinite = a.kind == Exact::infinite || b.kind == Exact::infinite;
  const bool has_zero = a.kind == Exact::zero || b.kind == Exact::zero;
  if (a.kind == Exact::nan || b.kind == Exact::nan || (has_infinite && has_zero)) return not_a_number();
  if (has_infinite || has_zero) return special(has_zero ? Exact::zero : Exact::infinite, is_negative);
  return {Exact::finite, is_negative, false, a.exponent + b.exponent, a.significand * b.significand};
}

Exact divide(const Exact& a, const Exact& b) {
  const bool is_negative = a.is_negative != b.is_negative;
  if (a.kind == Exact::nan || b.kind == Exact::nan) return not_a_number();
  if (a.kind == b.kind && a.kind != Exact::finite) return not_a_number();
  if (a.kind == Exact::infinite || b.kind == Exact::zero) return special(Exact::infinite, is_negative);
  if (a.kind == Exact::zero || b.kind == Exact::infinite) return special(Exact::zero, is_negative);
  const Exact dividend = aligned(a, 127);
  const Unsigned128 quotient = dividend.significand / b.significand;
  const Unsigned128 remainder = dividend.significand % b.significand;
  const int spare = std::max(kQuotientBits - bit_width(quotient), 0);
  const Unsigned128 more = (remainder << spare) / b.significand;
  const bool has_tail = (remainder << spare) % b.significand != 0;
  return {Exact::finite, is_negative, has_tail, dividend.exponent - b.exponent - spare, quotient << spare | more};
}

Exact square_root(const Exact& a) {
  if (a.kind == Exact::nan || a.kind == Exact::zero) return a;
  if (a.is_negative) return not_a_number();
  if (a.kind == Exact::infinite) return a;
  Exact radicand = aligned(a, 125);
  if (radicand.exponent % 2 != 0) radicand = aligned(a, 124);
  const Unsigned128 root = integer_root(radicand.significand);
  const bool has_tail = radicand.has_tail || root * root != radicand.significand;
  return {Exact::finite, false, has_tail, radicand.exponent / 2, root};
}

Exact negate(Exact a) {
  a.is_negative = !a.is_negative;
  return a;
}

}  // namespace jitc::emulator
