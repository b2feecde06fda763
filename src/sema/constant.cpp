#include "src/sema/constant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "jitc/float_bits.hpp"
#include "src/base/check.hpp"
#include "src/base/match.hpp"

namespace jitc::sema {

namespace {

constexpr Int128 kMaxWeak = Int128{1} << 100;  // far past every type, far from Int128's own limits

unsigned bits(DType t) { return size_bits(t); }

Int128 wrap(Int128 v, DType dtype) {
  const unsigned w = bits(dtype);
  const Int128 mask = (Int128{1} << w) - 1;
  const Int128 low = v & mask;
  return is_signed_int(dtype) && ((low >> (w - 1)) & 1) != 0 ? low - (Int128{1} << w) : low;
}

Int128 lowest(DType t) { return is_signed_int(t) ? -(Int128{1} << (bits(t) - 1)) : 0; }
Int128 highest(DType t) { return (Int128{1} << (is_signed_int(t) ? bits(t) - 1 : bits(t))) - 1; }

/// Truncates and saturates; NaN is 0.
Int128 float_to_int(double v, DType dtype) {
  if (std::isnan(v)) return 0;
  const double limit = std::ldexp(1.0, 70);
  const Int128 wide = static_cast<Int128>(std::clamp(std::trunc(v), -limit, limit));
  return std::clamp(wide, lowest(dtype), highest(dtype));
}

/// Rounded once. A double on the way could hide on which side of a tie of a narrower type the int lies, so the bits it
/// has no room for are left as one that says whether there were any.
double int_to_float(Int128 v, DType dtype) {
  constexpr int kKept = 53;
  UInt128 magnitude = static_cast<UInt128>(v < 0 ? -v : v);
  int dropped = 0;
  bool inexact = false;
  for (; dtype != DType::f8 && magnitude >> kKept != 0; ++dropped, magnitude >>= 1) {
    inexact = inexact || (magnitude & 1) != 0;
  }
  const double value = std::ldexp(static_cast<double>(magnitude | (inexact ? 1 : 0)), dropped);
  return round_to(dtype, v < 0 ? -value : value);
}

/// An int result in the arithmetic of `result`: wrapped when typed, exact (and bounded) when weak.
std::optional<Constant> finish_int(Int128 v, types::Scalar result) {
  if (!result.weak()) return Constant::of_int(wrap(v, result.dtype));
  if (v > kMaxWeak || v < -kMaxWeak) return std::nullopt;
  return Constant::of_int(v);
}

Int128 floor_div(Int128 a, Int128 b) {
  if (b == 0) return 0;
  const Int128 q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

Int128 floor_mod(Int128 a, Int128 b) { return b == 0 ? 0 : a - floor_div(a, b) * b; }

std::optional<Constant> int_power(Int128 base, Int128 exponent, types::Scalar result) {
  if (exponent < 0) {
    if (base == 1) return finish_int(1, result);
    if (base == -1) return finish_int(exponent % 2 == 0 ? 1 : -1, result);
    return result.weak() ? std::nullopt : std::optional(Constant::of_int(0));
  }
  Int128 value = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) {
      value = result.weak() ? value * base : wrap(value * base, result.dtype);
      if (result.weak() && (value > kMaxWeak || value < -kMaxWeak)) return std::nullopt;
    }
    if (exponent == 1) break;
    base = result.weak() ? base * base : wrap(base * base, result.dtype);
    // A weak base this large would overflow the product at the next set bit.
    if (result.weak() && base > (Int128{1} << 62)) return std::nullopt;
  }
  return finish_int(value, result);
}

std::optional<Constant> shift(Int128 a, Int128 count, bool left, types::Scalar result) {
  const Int128 width = result.weak() ? 100 : static_cast<Int128>(bits(result.dtype));
  if (count < 0 && result.weak()) return std::nullopt;
  const bool outside = count < 0 || count >= width;
  if (left) {
    if (outside) return result.weak() ? std::nullopt : std::optional(Constant::of_int(0));
    if (result.weak() && (a > (Int128{1} << 62) || a < -(Int128{1} << 62)) && count > 60) return std::nullopt;
    return finish_int(a * (Int128{1} << static_cast<int>(std::min<Int128>(count, 64))) *
                          (count > 64 ? Int128{1} << static_cast<int>(count - 64) : 1),
                      result);
  }
  if (outside) return Constant::of_int(a < 0 ? -1 : 0);
  return Constant::of_int(a >> static_cast<int>(count));
}

std::optional<Constant> fold_int(syntax::BinaryOp op, Int128 a, Int128 b, types::Scalar result) {
  using enum syntax::BinaryOp;
  const bool huge = a > (Int128{1} << 63) || b > (Int128{1} << 63) || a < -(Int128{1} << 63) || b < -(Int128{1} << 63);
  switch (op) {
    case kAdd: return finish_int(a + b, result);
    case kSub: return finish_int(a - b, result);
    case kMul:
      return huge && result.weak() && a != 0 && b != 0 && (a > 1 || a < -1) && (b > 1 || b < -1)
                 ? std::nullopt
                 : finish_int(a * b, result);
    case kFloorDiv: return finish_int(floor_div(a, b), result);
    case kMod: return finish_int(floor_mod(a, b), result);
    case kPow: return int_power(a, b, result);
    case kShl: return shift(a, b, true, result);
    case kShr: return shift(a, b, false, result);
    case kAnd: return finish_int(a & b, result);
    case kOr: return finish_int(a | b, result);
    case kXor: return finish_int(a ^ b, result);
    case kDiv:
    case kMatMul: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Constant> fold_float(syntax::BinaryOp op, double a, double b, DType dtype) {
  using enum syntax::BinaryOp;
  const auto done = [&](double v) { return Constant::of_float(round_to(dtype, v)); };
  switch (op) {
    case kAdd: return done(a + b);
    case kSub: return done(a - b);
    case kMul: return done(a * b);
    case kDiv: return done(a / b);
    case kFloorDiv: return done(python_floor_div(a, b));
    case kMod: return done(python_mod(a, b));
    // Typed powers stay calls into the math library, so that folding cannot change their last bit.
    case kPow: return done(std::pow(a, b));
    default: return std::nullopt;
  }
}

}  // namespace

Int128 Constant::as_int() const {
  JITC_CHECK(!is_float(), "a float constant where an int is needed");
  return is_bool() ? Int128{std::get<bool>(value)} : std::get<Int128>(value);
}

double Constant::as_double() const {
  if (is_float()) return std::get<double>(value);
  return static_cast<double>(as_int());
}

bool Constant::truthy() const { return is_float() ? as_double() != 0 : as_int() != 0; }

bool Constant::operator==(const Constant& other) const {
  if (value.index() != other.value.index()) return false;
  if (!is_float()) return as_int() == other.as_int();
  const double a = as_double(), b = other.as_double();
  return std::memcmp(&a, &b, sizeof a) == 0;
}

std::string to_string(const Constant& constant) {
  if (constant.is_bool()) return std::get<bool>(constant.value) ? "True" : "False";
  if (constant.is_float()) {
    std::string text = fmt::format("{}", constant.as_double());
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
  }
  return fmt::format("{}", constant.as_int());
}

Constant cast(const Constant& c, DType dtype) {
  if (dtype == DType::b1) return Constant::of_bool(c.truthy());
  if (is_float(dtype)) {
    return Constant::of_float(c.is_float() ? round_to(dtype, c.as_double()) : int_to_float(c.as_int(), dtype));
  }
  if (c.is_float()) return Constant::of_int(float_to_int(c.as_double(), dtype));
  return Constant::of_int(wrap(c.as_int(), dtype));
}

uint64_t bits_of(const Constant& c, DType dtype) {
  if (is_float(dtype)) return float_to_bits(dtype, c.as_double());
  if (dtype == DType::b1) return c.truthy() ? 1 : 0;
  const uint64_t all = static_cast<uint64_t>(c.as_int());
  return bits(dtype) == 64 ? all : all & ((uint64_t{1} << bits(dtype)) - 1);
}

bool fits(const Constant& c, DType dtype) {
  if (!is_int(dtype) || c.is_float()) return true;
  return c.as_int() >= lowest(dtype) && c.as_int() <= highest(dtype);
}

std::optional<Constant> fold_unary(syntax::UnaryOp op, const Constant& a, types::Scalar result) {
  using enum syntax::UnaryOp;
  if (op == kNot) return Constant::of_bool(!a.truthy());
  if (a.is_float()) {
    if (op == kInvert) return std::nullopt;
    return Constant::of_float(op == kNeg ? -a.as_double() : a.as_double());
  }
  if (op == kInvert && result.dtype == DType::b1) return Constant::of_bool(!a.truthy());
  const Int128 v = a.as_int();
  return finish_int(op == kNeg ? -v : op == kInvert ? ~v : v, result);
}

std::optional<Constant> fold_binary(syntax::BinaryOp op, const Constant& a, const Constant& b, types::Scalar result) {
  if (is_float(result.dtype)) {
    if (op == syntax::BinaryOp::kPow && !result.weak()) return std::nullopt;
    return fold_float(op, cast(a, result.dtype).as_double(), cast(b, result.dtype).as_double(), result.dtype);
  }
  if (result.dtype == DType::b1) {
    const auto v = fold_int(op, a.as_int(), b.as_int(), {DType::u1, types::Strength::kTyped});
    return v ? std::optional(Constant::of_bool(v->truthy())) : std::nullopt;
  }
  if (a.is_float() || b.is_float()) return std::nullopt;
  return fold_int(op, a.as_int(), b.as_int(), result);
}

bool fold_compare(syntax::CompareOp op, const Constant& a, const Constant& b) {
  using enum syntax::CompareOp;
  const bool floats = a.is_float() || b.is_float();
  const bool less = floats ? a.as_double() < b.as_double() : a.as_int() < b.as_int();
  const bool equal = floats ? a.as_double() == b.as_double() : a.as_int() == b.as_int();
  const bool greater = floats ? a.as_double() > b.as_double() : a.as_int() > b.as_int();
  switch (op) {
    case kEq:
    case kIs: return equal;
    case kNe:
    case kIsNot: return !equal;
    case kLt: return less;
    case kLe: return less || equal;
    case kGt: return greater;
    case kGe: return greater || equal;
    case kIn:
    case kNotIn: break;
  }
  JITC_CHECK(false, "no constant form of `in`");
}

// Algorithm: float_divmod of CPython's Objects/floatobject.c, restated.
double python_mod(double a, double b) {
  if (b == 0) return std::numeric_limits<double>::quiet_NaN();
  double mod = std::fmod(a, b);
  if (mod == 0) return std::copysign(0.0, b);
  if ((b < 0) != (mod < 0)) mod += b;
  return mod;
}

double python_floor_div(double a, double b) {
  if (b == 0) return a / b;
  double mod = std::fmod(a, b);
  double div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) div -= 1.0;
  if (div == 0) return std::copysign(0.0, a / b);
  const double floored = std::floor(div);
  return div - floored > 0.5 ? floored + 1.0 : floored;
}

}  // namespace jitc::sema
