#include "tests/support/scalar_ops.hpp"

#include <cmath>
#include <limits>

#include "src/base/check.hpp"
#include "src/kernel/ops.hpp"
#include "tests/support/half_values.hpp"
#include "tests/support/scalar_bits.hpp"

namespace jitc::reference {

namespace {

using kernel::BinaryOp;
using kernel::CompareOp;
using kernel::UnaryOp;

[[noreturn]] void not_defined() { JITC_CHECK(false, "the reference has no such operation on this type"); }

// --- integers

Int128 floor_div(Int128 a, Int128 b) {
  if (b == 0) return 0;
  const Int128 q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

Int128 floor_mod(Int128 a, Int128 b) { return b == 0 ? 0 : a - floor_div(a, b) * b; }

/// Wraps modulo 2^64, which contains every narrower wrap.
Int128 int_pow(Int128 base, Int128 exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  uint64_t result = 1;
  uint64_t square = static_cast<uint64_t>(base);
  for (; exponent != 0; exponent >>= 1, square *= square) {
    if (exponent % 2 != 0) result *= square;
  }
  return result;
}

Int128 int_binary(BinaryOp op, Int128 a, Int128 b, unsigned width) {
  const bool wide_shift = b < 0 || b >= width;
  switch (op) {
    case BinaryOp::kAdd: return a + b;
    case BinaryOp::kSub: return a - b;
    case BinaryOp::kMul: return static_cast<Int128>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    case BinaryOp::kFloorDiv: return floor_div(a, b);
    case BinaryOp::kMod: return floor_mod(a, b);
    case BinaryOp::kIntPow: return int_pow(a, b);
    case BinaryOp::kShl: return wide_shift ? 0 : static_cast<Int128>(static_cast<uint64_t>(a) << static_cast<int>(b));
    case BinaryOp::kShr: return wide_shift ? (a < 0 ? -1 : 0) : a >> static_cast<int>(b);
    case BinaryOp::kAnd: return a & b;
    case BinaryOp::kOr: return a | b;
    case BinaryOp::kXor: return a ^ b;
    case BinaryOp::kMin:
    case BinaryOp::kMinimum:
    case BinaryOp::kFmin: return b < a ? b : a;
    case BinaryOp::kMax:
    case BinaryOp::kMaximum:
    case BinaryOp::kFmax: return b > a ? b : a;
    case BinaryOp::kDiv:
    case BinaryOp::kCopySign: not_defined();
  }
  not_defined();
}

uint64_t bit_count(UnaryOp op, DType t, uint64_t bits) {
  const int width = static_cast<int>(size_bits(t));
  uint64_t ones = 0, reversed = 0;
  int highest = -1, lowest = -1;
  for (int i = 0; i < width; ++i) {
    if ((bits >> i & 1) == 0) continue;
    ++ones;
    reversed |= uint64_t{1} << (width - 1 - i);
    highest = i;
    if (lowest < 0) lowest = i;
  }
  if (op == UnaryOp::kPopCount) return ones;
  if (op == UnaryOp::kReverseBits) return reversed;
  if (op == UnaryOp::kLeadingZeros) return static_cast<uint64_t>(width - 1 - highest);
  return static_cast<uint64_t>(lowest + 1);
}

uint64_t int_unary(UnaryOp op, DType t, uint64_t bits) {
  const Int128 x = int_of(t, bits);
  switch (op) {
    case UnaryOp::kNeg: return bits_of_int(t, -x);
    case UnaryOp::kInvert: return bits_of_int(t, ~x);
    case UnaryOp::kAbs: return bits_of_int(t, x < 0 ? -x : x);
    case UnaryOp::kNot: return bits == 0 ? 1 : 0;
    case UnaryOp::kPopCount:
    case UnaryOp::kReverseBits:
    case UnaryOp::kLeadingZeros:
    case UnaryOp::kFindFirstSet: return bit_count(op, t, bits);
    default: not_defined();
  }
}

// --- floats

template <class Float>
uint64_t float_unary(UnaryOp op, Float x) {
  switch (op) {
    case UnaryOp::kNeg: return bits_of_float(std::copysign(x, std::signbit(x) ? Float{1} : Float{-1}));
    case UnaryOp::kAbs: return bits_of_float(std::fabs(x));
    case UnaryOp::kSqrt: return bits_of_float(std::sqrt(x));
    case UnaryOp::kFloor: return bits_of_float(std::floor(x));
    case UnaryOp::kCeil: return bits_of_float(std::ceil(x));
    case UnaryOp::kTrunc: return bits_of_float(std::trunc(x));
    case UnaryOp::kRint: return bits_of_float(std::nearbyint(x));
    case UnaryOp::kIsNan: return std::isnan(x) ? 1 : 0;
    case UnaryOp::kIsInf: return std::isinf(x) ? 1 : 0;
    case UnaryOp::kIsFinite: return std::isfinite(x) ? 1 : 0;
    case UnaryOp::kSignBit: return std::signbit(x) ? 1 : 0;
    default: not_defined();
  }
  not_defined();
}

template <class Float>
Float float_binary(BinaryOp op, Float a, Float b) {
  const Float nan = std::numeric_limits<Float>::quiet_NaN();
  const bool any_nan = std::isnan(a) || std::isnan(b);
  const Float number = std::isnan(a) ? b : a;
  switch (op) {
    case BinaryOp::kAdd: return a + b;
    case BinaryOp::kSub: return a - b;
    case BinaryOp::kMul: return a * b;
    case BinaryOp::kDiv: return a / b;
    case BinaryOp::kMin: return b < a ? b : a;
    case BinaryOp::kMax: return b > a ? b : a;
    case BinaryOp::kMinimum: return any_nan ? nan : a < b ? a : b;
    case BinaryOp::kMaximum: return any_nan ? nan : a > b ? a : b;
    case BinaryOp::kFmin: return any_nan ? number : a < b ? a : b;
    case BinaryOp::kFmax: return any_nan ? number : a > b ? a : b;
    case BinaryOp::kCopySign: return std::copysign(a, b);
    default: not_defined();
  }
}

template <class T>
bool compare_values(CompareOp op, T a, T b) {
  switch (op) {
    case CompareOp::kEq: return a == b;
    case CompareOp::kNe: return a != b;
    case CompareOp::kLt: return a < b;
    case CompareOp::kLe: return a <= b;
    case CompareOp::kGt: return a > b;
    case CompareOp::kGe: return a >= b;
  }
  not_defined();
}

// --- conversions. long double holds every value of every type exactly.

long double number_of(DType t, uint64_t bits) {
  if (is_half(t)) return half_value(t, bits);
  if (t == DType::f4) return float_of<float>(bits);
  if (t == DType::f8) return float_of<double>(bits);
  return static_cast<long double>(int_of(t, bits));
}

/// Truncates and saturates; NaN gives 0.
Int128 to_int_range(DType t, long double value) {
  if (std::isnan(value)) return 0;
  const Int128 one = 1;
  const Int128 low = is_signed_int(t) ? -(one << (size_bits(t) - 1)) : 0;
  const Int128 high = (one << (size_bits(t) - (is_signed_int(t) ? 1 : 0))) - 1;
  if (value <= static_cast<long double>(low)) return low;
  if (value >= static_cast<long double>(high)) return high;
  return static_cast<Int128>(value);
}

}  // namespace

Bits unary(UnaryOp op, DType operand_type, Bits operand) {
  if (is_half(operand_type)) {
    const Bits result = float_unary(op, half_value(operand_type, operand));
    return kernel::info(op).gives_bool ? result : half_bits(operand_type, float_of<double>(result));
  }
  if (operand_type == DType::f4) return float_unary(op, float_of<float>(operand));
  if (operand_type == DType::f8) return float_unary(op, float_of<double>(operand));
  return int_unary(op, operand_type, operand);
}

Bits binary(BinaryOp op, DType type, Bits lhs, Bits rhs) {
  if (is_half(type)) return half_bits(type, float_binary(op, half_value(type, lhs), half_value(type, rhs)));
  if (type == DType::f4) return bits_of_float(float_binary(op, float_of<float>(lhs), float_of<float>(rhs)));
  if (type == DType::f8) return bits_of_float(float_binary(op, float_of<double>(lhs), float_of<double>(rhs)));
  return bits_of_int(type, int_binary(op, int_of(type, lhs), int_of(type, rhs), size_bits(type)));
}

bool compare(CompareOp op, DType operand_type, Bits lhs, Bits rhs) {
  if (is_float(operand_type)) return compare_values(op, number_of(operand_type, lhs), number_of(operand_type, rhs));
  return compare_values(op, int_of(operand_type, lhs), int_of(operand_type, rhs));
}

Bits convert(DType from, DType to, Bits value) {
  const long double number = number_of(from, value);
  if (is_bool(to)) return number != 0 ? 1 : 0;  // NaN != 0
  if (is_half(to)) return half_bits(to, number);
  if (to == DType::f4) return bits_of_float(static_cast<float>(number));
  if (to == DType::f8) return bits_of_float(static_cast<double>(number));
  return bits_of_int(to, is_float(from) ? to_int_range(to, number) : int_of(from, value));
}

Bits fma(DType type, Bits lhs, Bits rhs, Bits addend) {
  if (is_half(type)) return half_fma(type, half_value(type, lhs), half_value(type, rhs), half_value(type, addend));
  if (type == DType::f4)
    return bits_of_float(std::fma(float_of<float>(lhs), float_of<float>(rhs), float_of<float>(addend)));
  return bits_of_float(std::fma(float_of<double>(lhs), float_of<double>(rhs), float_of<double>(addend)));
}

}  // namespace jitc::reference
