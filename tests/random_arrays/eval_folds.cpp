// Folds and sums of products in the order that is documented, and nothing of how it is reached.
#include <algorithm>
#include <map>
#include <optional>

#include "src/base/check.hpp"
#include "tests/random_arrays/evaluator.hpp"
#include "tests/support/scalar_bits.hpp"

namespace jitc::random_arrays {

namespace {

namespace ref = jitc::reference;
using kernel::BinaryOp;
using kernel::CompareOp;
using types::FoldOp;

/// A number, and where it stands among those that are folded.
struct State {
  Number number;
  int64_t place = 0;
};
using Maybe = std::optional<State>;

class Folding {
 public:
  Folding(FoldOp op, DType dtype) : op_(op), dtype_(dtype), part_(part_type(dtype)) {}

  State operator()(const State& a, const State& b) const {
    if (op_ == FoldOp::kArgMin || op_ == FoldOp::kArgMax) return first_extreme(a, b);
    if (op_ == FoldOp::kMul && is_complex(dtype_)) return {product(a.number, b.number), 0};
    return {{ref::binary(operation(), part_, a.number.real, b.number.real),
             is_complex(dtype_) ? ref::binary(operation(), part_, a.number.imag, b.number.imag) : 0},
            0};
  }

 private:
  BinaryOp operation() const {
    const bool b1 = is_bool(dtype_);
    switch (op_) {
      case FoldOp::kAdd: return b1 ? BinaryOp::kOr : BinaryOp::kAdd;
      case FoldOp::kMul: return b1 ? BinaryOp::kAnd : BinaryOp::kMul;
      case FoldOp::kMin: return b1 ? BinaryOp::kAnd : BinaryOp::kMinimum;
      case FoldOp::kMax: return b1 ? BinaryOp::kOr : BinaryOp::kMaximum;
      case FoldOp::kFmin: return b1 ? BinaryOp::kAnd : BinaryOp::kFmin;
      case FoldOp::kFmax: return b1 ? BinaryOp::kOr : BinaryOp::kFmax;
      case FoldOp::kArgMin:
      case FoldOp::kArgMax: break;
    }
    throw std::logic_error("not one operation");
  }

  Number product(const Number& a, const Number& b) const {
    const auto mul = [&](Bits x, Bits y) { return ref::binary(BinaryOp::kMul, part_, x, y); };
    return {ref::binary(BinaryOp::kSub, part_, mul(a.real, b.real), mul(a.imag, b.imag)),
            ref::binary(BinaryOp::kAdd, part_, mul(a.real, b.imag), mul(a.imag, b.real))};
  }

  /// A NaN before all, then by value, then by place.
  State first_extreme(const State& a, const State& b) const {
    const auto is = [&](CompareOp op, const State& x, const State& y) {
      return ref::compare(op, dtype_, x.number.real, y.number.real);
    };
    const bool a_nan = is(CompareOp::kNe, a, a), b_nan = is(CompareOp::kNe, b, b);
    if (a_nan != b_nan) return a_nan ? a : b;
    const CompareOp better = op_ == FoldOp::kArgMax ? CompareOp::kGt : CompareOp::kLt;
    if (is(better, a, b)) return a;
    if (is(better, b, a)) return b;
    return a.place < b.place ? a : b;
  }

  FoldOp op_;
  DType dtype_, part_;
};

Maybe join(const Folding& f, const Maybe& a, const Maybe& b) { return a && b ? Maybe(f(*a, *b)) : a ? a : b; }

/// 16 rows of 32 columns: each column from first to last, and these by halving.
Maybe leaf(const Folding& f, const std::vector<State>& states, size_t begin, size_t end) {
  std::vector<Maybe> columns(32);
  for (size_t k = begin; k < end; ++k) columns[(k - begin) % 32] = join(f, columns[(k - begin) % 32], states[k]);
  for (size_t width = 16; width > 0; width /= 2) {
    for (size_t c = 0; c < width; ++c) columns[c] = join(f, columns[c], columns[c + width]);
  }
  return columns[0];
}

/// 8 leaves of 512, as pairs of neighbours.
Maybe block(const Folding& f, const std::vector<State>& states, size_t begin) {
  std::vector<Maybe> leaves(8);
  for (size_t k = 0; k < 8; ++k) {
    const size_t first = begin + k * 512;
    if (first < states.size()) leaves[k] = leaf(f, states, first, std::min(first + 512, states.size()));
  }
  for (size_t count = 4; count > 0; count /= 2) {
    for (size_t k = 0; k < count; ++k) leaves[k] = join(f, leaves[2 * k], leaves[2 * k + 1]);
  }
  return leaves[0];
}

Maybe tree(const Folding& f, std::vector<State> states) {
  while (states.size() > 1) {
    std::vector<State> blocks;
    for (size_t begin = 0; begin < states.size(); begin += 4096) blocks.push_back(*block(f, states, begin));
    states = std::move(blocks);
  }
  return states.empty() ? Maybe() : Maybe(states[0]);
}

Maybe in_order(const Folding& f, const std::vector<State>& states) {
  Maybe out;
  for (const State& s : states) out = join(f, out, s);
  return out;
}

/// Of no elements: what changes nothing, but that a sum of none is 0.
Number nothing(FoldOp op, DType dtype) {
  const DType part = part_type(dtype);
  const auto of_int = [&](int64_t value) { return Number{ref::convert(DType::i8, part, static_cast<Bits>(value)), 0}; };
  if (op == FoldOp::kAdd || op == FoldOp::kMul) return of_int(op == FoldOp::kMul ? 1 : 0);
  const bool least = op == FoldOp::kMin || op == FoldOp::kFmin;
  const Number one = of_int(1), zero = of_int(0);
  const Bits infinity = is_float(dtype) ? ref::binary(BinaryOp::kDiv, part, one.real, zero.real) : 0;
  if (is_float(dtype) && (op == FoldOp::kFmin || op == FoldOp::kFmax))
    return {ref::binary(BinaryOp::kSub, part, infinity, infinity), 0};
  if (is_float(dtype)) return {least ? infinity : ref::unary(kernel::UnaryOp::kNeg, part, infinity), 0};
  if (is_bool(dtype)) return of_int(least ? 1 : 0);
  const Bits ones = ref::mask_of(dtype), top = (ones >> 1) + 1;
  if (is_unsigned_int(dtype)) return {least ? ones : 0, 0};
  return {least ? ones ^ top : top, 0};
}

}  // namespace

Dense fold(const sema::FoldExpr& e, const Dense& array, Mistake mistake) {
  const bool places = e.op == FoldOp::kArgMin || e.op == FoldOp::kArgMax;
  const Folding folding(e.op, array.dtype);
  Shape outer, inner, shape;
  for (size_t k = 0; k < array.shape.size(); ++k) {
    (e.folded[k] ? inner : outer).push_back(array.shape[k]);
    if (!e.folded[k] || e.keepdims) shape.push_back(e.folded[k] ? 1 : array.shape[k]);
  }
  std::vector<Number> results;
  for_each_index(outer, [&](const Shape& row) {
    std::vector<State> states;
    for_each_index(inner, [&](const Shape& column) {
      Shape index;
      size_t next_row = 0, next_column = 0;
      for (const bool folded : e.folded) index.push_back(folded ? column[next_column++] : row[next_row++]);
      states.push_back({array.at(index), static_cast<int64_t>(states.size())});
    });
    if (states.empty() && e.needs_elements) throw CallFailure("a fold of no elements");
    const Maybe got = mistake == Mistake::sum_in_order ? in_order(folding, states) : tree(folding, states);
    if (places) {
      results.push_back({got ? static_cast<Bits>(got->place) : 0, 0});
    } else {
      results.push_back(got ? got->number : nothing(e.op, array.dtype));
    }
  });
  Dense out = new_dense(places ? DType::i8 : array.dtype, shape);
  *out.numbers = std::move(results);
  return out;
}

namespace {

/// sum + a * b, in the fused steps of a type.
void step(DType dtype, Number& sum, const Number& a, const Number& b) {
  const DType part = part_type(dtype);
  if (is_bool(dtype)) {
    sum.real |= a.real & b.real;
  } else if (is_int(dtype)) {
    sum.real = ref::binary(BinaryOp::kAdd, part, sum.real, ref::binary(BinaryOp::kMul, part, a.real, b.real));
  } else if (!is_complex(dtype)) {
    sum.real = ref::fma(part, a.real, b.real, sum.real);
  } else {
    const Bits minus = ref::unary(kernel::UnaryOp::kNeg, part, a.imag);
    sum.real = ref::fma(part, a.real, b.real, sum.real);
    sum.real = ref::fma(part, minus, b.imag, sum.real);
    sum.imag = ref::fma(part, a.real, b.imag, sum.imag);
    sum.imag = ref::fma(part, a.imag, b.real, sum.imag);
  }
}

Number element(const Dense& array, const std::string& labels, const std::map<char, int64_t>& at) {
  Shape index;
  for (size_t k = 0; k < labels.size(); ++k) index.push_back(array.shape[k] == 1 ? 0 : at.at(labels[k]));
  return array.at(index);
}

}  // namespace

Dense contract(const sema::ContractExpr& e, const Dense& a, const Dense& b) {
  std::map<char, int64_t> extents;
  const auto add = [&](const std::string& labels, const Dense& array) {
    for (size_t k = 0; k < labels.size(); ++k) {
      int64_t& extent = extents.emplace(labels[k], array.shape[k]).first->second;
      const bool is_batch = e.out_labels.find(labels[k]) != std::string::npos;
      if (extent != array.shape[k] && !(is_batch && (extent == 1 || array.shape[k] == 1)))
        throw CallFailure("factors that do not fit");
      if (extent == 1) extent = array.shape[k];
    }
  };
  add(e.a_labels, a);
  add(e.b_labels, b);
  std::string summed;
  Shape outer, inner;
  for (const char c : e.out_labels) outer.push_back(extents.at(c));
  for (const char c : e.a_labels) {
    if (e.out_labels.find(c) != std::string::npos) continue;
    summed += c;
    inner.push_back(extents.at(c));
  }
  Dense out = new_dense(a.dtype, outer);
  for_each_index(outer, [&](const Shape& index) {
    std::map<char, int64_t> at;
    for (size_t k = 0; k < index.size(); ++k) at[e.out_labels[k]] = index[k];
    std::vector<Number> blocks;  // the sums of 256 products each
    int64_t number = 0;
    for_each_index(inner, [&](const Shape& k) {
      for (size_t i = 0; i < k.size(); ++i) at[summed[i]] = k[i];
      if (number++ % 256 == 0) blocks.emplace_back();
      step(a.dtype, blocks.back(), element(a, e.a_labels, at), element(b, e.b_labels, at));
    });
    if (blocks.empty()) return;
    const Folding sum(FoldOp::kAdd, a.dtype);
    State total{blocks[0], 0};
    for (size_t k = 1; k < blocks.size(); ++k) total = sum(total, {blocks[k], 0});
    out.at(index) = total.number;
  });
  return out;
}

}  // namespace jitc::random_arrays
