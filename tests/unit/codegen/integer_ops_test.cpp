// Every integer operation at every width, on edge values, against 128-bit references.
#include <catch2/catch.hpp>

#include "src/base/int128.hpp"
#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using base::Int128;
using kernel::BinaryOp;
using kernel::Builder;
using kernel::CompareOp;
using kernel::ExprId;
using kernel::UnaryOp;

constexpr DType kInts[] = {DType::i1, DType::i2, DType::i4, DType::i8, DType::u1, DType::u2, DType::u4, DType::u8};

Int128 width_of(DType t) { return static_cast<Int128>(size_bits(t)); }
Int128 two_to_the_width(DType t) { return Int128{1} << size_bits(t); }

/// The value of the type that is congruent to x modulo 2^width.
Int128 wrap(DType t, Int128 x) {
  const Int128 modulus = two_to_the_width(t);
  Int128 low = x % modulus;
  if (low < 0) low += modulus;
  return is_signed_int(t) && low >= modulus / 2 ? low - modulus : low;
}

/// a * b modulo 2^64, which is all that any width needs.
Int128 product(Int128 a, Int128 b) { return static_cast<uint64_t>(a) * static_cast<uint64_t>(b); }

Int128 floor_div(Int128 a, Int128 b) {
  if (b == 0) return 0;
  const Int128 quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Int128 shift(DType t, BinaryOp op, Int128 a, Int128 count) {
  const bool in_range = count >= 0 && count < width_of(t);
  if (op == BinaryOp::kShl) return in_range ? wrap(t, a << static_cast<int>(count)) : 0;
  return in_range ? a >> static_cast<int>(count) : a < 0 ? -1 : 0;
}

Int128 power(DType t, Int128 base, Int128 exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  Int128 result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = wrap(t, product(result, base));
    base = wrap(t, product(base, base));
  }
  return result;
}

Int128 expected(DType t, BinaryOp op, Int128 a, Int128 b) {
  switch (op) {
    case BinaryOp::kAdd: return wrap(t, a + b);
    case BinaryOp::kSub: return wrap(t, a - b);
    case BinaryOp::kMul: return wrap(t, product(a, b));
    case BinaryOp::kFloorDiv: return wrap(t, floor_div(a, b));
    case BinaryOp::kMod: return b == 0 ? Int128{0} : a - floor_div(a, b) * b;
    case BinaryOp::kIntPow: return power(t, a, b);
    case BinaryOp::kShl:
    case BinaryOp::kShr: return shift(t, op, a, b);
    case BinaryOp::kAnd: return a & b;
    case BinaryOp::kOr: return a | b;
    case BinaryOp::kXor: return wrap(t, a ^ b);
    case BinaryOp::kMin:
    case BinaryOp::kMinimum:
    case BinaryOp::kFmin: return b < a ? b : a;
    case BinaryOp::kMax:
    case BinaryOp::kMaximum:
    case BinaryOp::kFmax: return b > a ? b : a;
    case BinaryOp::kDiv:
    case BinaryOp::kCopySign: break;
  }
  throw std::logic_error("not an integer operation");
}

/// Values around zero, the limits, powers of two and the shift widths.
std::vector<Int128> edge_values(DType t) {
  std::vector<Int128> values;
  const Int128 modulus = two_to_the_width(t);
  for (const Int128 near :
       {Int128{0}, modulus / 2, modulus / 4, width_of(t), Int128{7}, Int128{100}, Int128{46341}, modulus / 3}) {
    for (int delta = -2; delta <= 2; ++delta) values.push_back(wrap(t, near + delta));
  }
  return values;
}

std::vector<std::byte> to_bytes(DType t, const std::vector<Int128>& values) {
  std::vector<std::byte> bytes(values.size() * size_bytes(t));
  for (size_t i = 0; i < values.size(); ++i) {
    const auto bits = static_cast<uint64_t>(values[i]);
    std::memcpy(bytes.data() + i * size_bytes(t), &bits, size_bytes(t));
  }
  return bytes;
}

Int128 read(DType t, const std::vector<std::byte>& bytes, size_t i) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + i * size_bytes(t), size_bytes(t));
  return wrap(t, bits);
}

struct Pairs {
  std::vector<Int128> lhs, rhs;
};
Pairs all_pairs(DType t) {
  Pairs pairs;
  for (const Int128 a : edge_values(t)) {
    for (const Int128 b : edge_values(t)) pairs.lhs.push_back(a), pairs.rhs.push_back(b);
  }
  return pairs;
}

std::string text(Int128 value) {
  return (value < 0 ? "-" : "") + std::to_string(static_cast<uint64_t>(value < 0 ? -value : value));
}

template <class Reference>
void check_binary(DType type, DType result, const MakeValue& make_value, const Reference& reference,
                  const codegen::EmitOptions& options = {}) {
  const Pairs pairs = all_pairs(type);
  const CpuProgram program(elementwise("op", result, {type, type}, make_value), options);
  const auto lhs = to_bytes(type, pairs.lhs), rhs = to_bytes(type, pairs.rhs);
  std::vector<std::byte> out(pairs.lhs.size() * size_bytes(result));
  const auto count = static_cast<int64_t>(pairs.lhs.size());
  program.run(launch_for(pairs.lhs.size()), count, out.data(), lhs.data(), rhs.data());
  std::string first_wrong;
  for (size_t i = 0; i < pairs.lhs.size() && first_wrong.empty(); ++i) {
    const Int128 want = reference(pairs.lhs[i], pairs.rhs[i]), got = read(result, out, i);
    if (want == got) continue;
    first_wrong = std::string(name(type)) + ": of " + text(pairs.lhs[i]) + " and " + text(pairs.rhs[i]) + " got " +
                  text(got) + ", not " + text(want);
  }
  CHECK(first_wrong == "");
}

TEST_CASE("binary operations on integers have the language's value for all edge values") {
  const auto op =
      GENERATE(BinaryOp::kAdd, BinaryOp::kSub, BinaryOp::kMul, BinaryOp::kFloorDiv, BinaryOp::kMod, BinaryOp::kIntPow,
               BinaryOp::kShl, BinaryOp::kShr, BinaryOp::kAnd, BinaryOp::kOr, BinaryOp::kXor, BinaryOp::kMin,
               BinaryOp::kMax, BinaryOp::kMinimum, BinaryOp::kMaximum, BinaryOp::kFmin, BinaryOp::kFmax);
  INFO("operation " << kernel::info(op).spelling);
  for (const DType type : kInts) {
    check_binary(
        type, type, [&](Builder& k, const auto& v) { return k.binary(op, v[0], v[1]); },
        [&](Int128 a, Int128 b) { return expected(type, op, a, b); });
  }
}

TEST_CASE("unoptimised code has the same values") {
  const auto op = GENERATE(BinaryOp::kFloorDiv, BinaryOp::kMod, BinaryOp::kIntPow, BinaryOp::kShl, BinaryOp::kShr);
  for (const DType type : kInts) {
    check_binary(
        type, type, [&](Builder& k, const auto& v) { return k.binary(op, v[0], v[1]); },
        [&](Int128 a, Int128 b) { return expected(type, op, a, b); }, {.opt_level = 0});
  }
}

TEST_CASE("a constant operand gives the same value as a loaded one") {
  const auto op = GENERATE(BinaryOp::kFloorDiv, BinaryOp::kMod, BinaryOp::kShl, BinaryOp::kShr);
  const DType type = GENERATE(DType::i4, DType::u8);
  const Int128 constant = GENERATE(-1, 0, 1, 3, 8, 31, 64);
  const Int128 wrapped = wrap(type, constant);
  check_binary(
      type, type,
      [&](Builder& k, const auto& v) {
        const uint64_t bits = static_cast<uint64_t>(wrapped) & (~uint64_t{0} >> (64 - size_bits(type)));
        return k.binary(op, v[0], k.constant_bits(type, bits));
      },
      [&](Int128 a, Int128) { return expected(type, op, a, wrapped); });
}

TEST_CASE("comparisons of integers follow their signedness") {
  const auto op =
      GENERATE(CompareOp::kEq, CompareOp::kNe, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt, CompareOp::kGe);
  for (const DType type : kInts) {
    check_binary(
        type, DType::b1, [&](Builder& k, const auto& v) { return k.compare(op, v[0], v[1]); },
        [&](Int128 a, Int128 b) -> Int128 {
          switch (op) {
            case CompareOp::kEq: return a == b;
            case CompareOp::kNe: return a != b;
            case CompareOp::kLt: return a < b;
            case CompareOp::kLe: return a <= b;
            case CompareOp::kGt: return a > b;
            case CompareOp::kGe: return a >= b;
          }
          return -1;
        });
  }
}

TEST_CASE("negation, inversion and abs wrap") {
  for (const DType type : kInts) {
    const auto unary = [&](UnaryOp op) {
      return [op](Builder& k, const std::vector<ExprId>& v) { return k.unary(op, v[0]); };
    };
    check_binary(type, type, unary(UnaryOp::kNeg), [&](Int128 a, Int128) { return wrap(type, -a); });
    check_binary(type, type, unary(UnaryOp::kInvert), [&](Int128 a, Int128) { return wrap(type, -a - 1); });
    check_binary(type, type, unary(UnaryOp::kAbs), [&](Int128 a, Int128) { return wrap(type, a < 0 ? -a : a); });
  }
}

TEST_CASE("integers convert to integers by wrapping, and to b1 by comparing with zero") {
  for (const DType from : kInts) {
    for (const DType to : kInts) {
      check_binary(
          from, to, [&](Builder& k, const auto& v) { return k.convert(to, v[0]); },
          [&](Int128 a, Int128) { return wrap(to, a); });
    }
    check_binary(
        from, DType::b1, [&](Builder& k, const auto& v) { return k.convert(DType::b1, v[0]); },
        [&](Int128 a, Int128) { return Int128{a != 0}; });
  }
}

}  // namespace
