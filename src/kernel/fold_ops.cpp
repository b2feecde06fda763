#include "src/kernel/fold_ops.hpp"

#include <limits>

namespace jitc::kernel {

namespace {

bool is_arg(FoldOp op) { return op == FoldOp::kArgMin || op == FoldOp::kArgMax; }
/// Whether the greatest value is wanted.
bool is_max(FoldOp op) { return op == FoldOp::kMax || op == FoldOp::kFmax || op == FoldOp::kArgMax; }
bool has_presence(const Fold& fold) { return fold.op == FoldOp::kMul && is_complex(fold.dtype); }

/// One operation of scalars for each row of FoldOp; the ones with numbers of elements have none.
struct PlainOp {
  BinaryOp on_ints, on_floats, on_bools;
};
constexpr PlainOp kPlainOps[] = {
    {BinaryOp::kAdd, BinaryOp::kAdd, BinaryOp::kOr},       // kAdd
    {BinaryOp::kMul, BinaryOp::kMul, BinaryOp::kAnd},      // kMul
    {BinaryOp::kMin, BinaryOp::kMinimum, BinaryOp::kAnd},  // kMin
    {BinaryOp::kMax, BinaryOp::kMaximum, BinaryOp::kOr},   // kMax
    {BinaryOp::kMin, BinaryOp::kFmin, BinaryOp::kAnd},     // kFmin
    {BinaryOp::kMax, BinaryOp::kFmax, BinaryOp::kOr},      // kFmax
};

BinaryOp plain_op(FoldOp op, DType dtype) {
  const auto row = static_cast<size_t>(op);
  JITC_CHECK(row < std::size(kPlainOps), "a fold that is not one operation of its values");
  const PlainOp& found = kPlainOps[row];
  return is_float(dtype) ? found.on_floats : is_bool(dtype) ? found.on_bools : found.on_ints;
}

/// The least value of the type, or the greatest: infinities where there are such.
ExprId extreme(Builder& b, DType dtype, bool greatest) {
  if (is_float(dtype)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return b.constant(dtype, greatest ? infinity : -infinity);
  }
  const uint64_t ones = ~uint64_t{0} >> (64 - size_bits(dtype)), top = uint64_t{1} << (size_bits(dtype) - 1);
  if (is_bool(dtype)) return b.constant_bits(dtype, greatest ? 1 : 0);
  if (is_unsigned_int(dtype)) return b.constant_bits(dtype, greatest ? ones : 0);
  return b.constant_bits(dtype, greatest ? ones ^ top : top);
}

ExprId plain_identity(Builder& b, FoldOp op, DType dtype) {
  if (op == FoldOp::kAdd) return b.constant(dtype, -0.0);
  if (op == FoldOp::kMul) return b.constant(dtype, 1);
  if ((op == FoldOp::kFmin || op == FoldOp::kFmax) && is_float(dtype)) {
    return b.constant(dtype, std::numeric_limits<double>::quiet_NaN());
  }
  return extreme(b, dtype, !is_max(op));
}

/// lhs where it wins: a NaN over numbers, then by value, then by the smaller number.
FoldState combine_args(Builder& b, const Fold& fold, const FoldState& lhs, const FoldState& rhs) {
  const auto both = [&](ExprId x, ExprId y) { return b.binary(BinaryOp::kAnd, x, y); };
  const auto either = [&](ExprId x, ExprId y) { return b.binary(BinaryOp::kOr, x, y); };
  ExprId wins = b.compare(is_max(fold.op) ? CompareOp::kGt : CompareOp::kLt, lhs[0], rhs[0]);
  ExprId equal = b.compare(CompareOp::kEq, lhs[0], rhs[0]);
  if (is_float(fold.dtype)) {
    const ExprId left_nan = b.unary(UnaryOp::kIsNan, lhs[0]), right_nan = b.unary(UnaryOp::kIsNan, rhs[0]);
    wins = either(wins, both(left_nan, b.unary(UnaryOp::kNot, right_nan)));
    equal = either(equal, both(left_nan, right_nan));
  }
  const ExprId left = either(wins, both(equal, b.compare(CompareOp::kLt, lhs[1], rhs[1])));
  return {b.select(left, lhs[0], rhs[0]), b.select(left, lhs[1], rhs[1])};
}

/// Where one of them has seen nothing, the other one.
FoldState multiply_complex(Builder& b, const FoldState& lhs, const FoldState& rhs) {
  const auto mul = [&](ExprId x, ExprId y) { return b.binary(BinaryOp::kMul, x, y); };
  const ExprId products[] = {b.binary(BinaryOp::kSub, mul(lhs[0], rhs[0]), mul(lhs[1], rhs[1])),
                             b.binary(BinaryOp::kAdd, mul(lhs[0], rhs[1]), mul(lhs[1], rhs[0]))};
  const ExprId both = b.binary(BinaryOp::kAnd, lhs[2], rhs[2]);
  FoldState out;
  for (size_t part = 0; part < 2; ++part) {
    out.push_back(b.select(both, products[part], b.select(lhs[2], lhs[part], rhs[part])));
  }
  out.push_back(b.binary(BinaryOp::kOr, lhs[2], rhs[2]));
  return out;
}

FoldState parts_of(const Value& value) {
  if (!value.is_tuple) return {value.scalar};
  return {value.items[0].scalar, value.items[1].scalar};
}

}  // namespace

std::vector<DType> partial_dtypes(const Fold& fold) {
  if (is_arg(fold.op)) return {fold.dtype, DType::i8};
  return {fold.dtype};
}

DType fold_dtype(const Fold& fold) { return is_arg(fold.op) ? DType::i8 : fold.dtype; }

std::vector<DType> state_dtypes(const Fold& fold) {
  if (is_arg(fold.op)) return {fold.dtype, DType::i8};
  const DType part = part_type(fold.dtype);
  if (has_presence(fold)) return {part, part, DType::b1};
  if (is_complex(fold.dtype)) return {part, part};
  return {part};
}

FoldState identity_state(Builder& b, const Fold& fold) {
  if (is_arg(fold.op)) {
    return {extreme(b, fold.dtype, !is_max(fold.op)), b.constant(DType::i8, std::numeric_limits<int64_t>::max())};
  }
  const DType part = part_type(fold.dtype);
  if (has_presence(fold)) return {b.constant(part, 1), b.constant(part, 0), b.constant(DType::b1, 0)};
  const ExprId value = plain_identity(b, fold.op, part);
  if (is_complex(fold.dtype)) return {value, value};
  return {value};
}

FoldState element_state(Builder& b, const Fold& fold, const Value& element, ExprId number) {
  if (is_arg(fold.op)) return {element.scalar, number};
  FoldState out = parts_of(element);
  if (has_presence(fold)) out.push_back(b.constant(DType::b1, 1));
  return out;
}

FoldState combine_states(Builder& b, const Fold& fold, const FoldState& lhs, const FoldState& rhs) {
  if (is_arg(fold.op)) return combine_args(b, fold, lhs, rhs);
  if (has_presence(fold)) return multiply_complex(b, lhs, rhs);
  JITC_CHECK(!is_complex(fold.dtype) || fold.op == FoldOp::kAdd, "complex numbers have no order");
  const BinaryOp op = plain_op(fold.op, part_type(fold.dtype));
  FoldState out;
  for (size_t part = 0; part < lhs.size(); ++part) out.push_back(b.binary(op, lhs[part], rhs[part]));
  return out;
}

Value fold_result(const Fold& fold, const FoldState& state) {
  if (is_arg(fold.op)) return of_scalar(state[1]);
  return is_complex(fold.dtype) ? of_parts(state[0], state[1]) : of_scalar(state[0]);
}

std::vector<Value> state_values(const Fold& fold, const FoldState& state) {
  if (is_arg(fold.op)) return {of_scalar(state[0]), of_scalar(state[1])};
  return {fold_result(fold, state)};
}

FoldState state_of_values(Builder& b, const Fold& fold, const std::vector<Value>& values) {
  if (is_arg(fold.op)) return {values[0].scalar, values[1].scalar};
  return element_state(b, fold, values[0], {});
}

}  // namespace jitc::kernel
