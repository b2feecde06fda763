// Products of arrays: matmul, dot, einsum and their kin, as contractions of two arrays with letters for axes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "src/sema/array_typer.hpp"
#include "src/sema/einsum_text.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using Op = syntax::BinaryOp;

namespace {

bool has(const std::string& labels, char letter) { return labels.find(letter) != std::string::npos; }

std::string letters(char first, int count) {
  std::string out;
  for (int k = 0; k < count; ++k) out += static_cast<char>(first + k);
  return out;
}

}  // namespace

bool ArrayTyper::meet(ExprId& a, ExprId& b) {
  if (t_.unknown(a) || t_.unknown(b)) return false;
  const DType type = types::promote(t_.element_dtype(a), t_.element_dtype(b));
  a = cast(a, type);
  b = cast(b, type);
  return !t_.unknown(a) && !t_.unknown(b);
}

/// The array's axes in the order of `wanted`, whose other letters become new axes.
ExprId ArrayTyper::to_labels(ExprId array, std::string labels, const std::string& wanted) {
  std::vector<uint32_t> order;
  for (const char c : wanted) {
    if (has(labels, c)) order.push_back(static_cast<uint32_t>(labels.find(c)));
  }
  if (!std::is_sorted(order.begin(), order.end())) array = permute(array, order);
  for (uint32_t k = 0; k < wanted.size(); ++k) {
    if (!has(labels, wanted[k])) array = new_axis(array, k);
  }
  return array;
}

ExprId ArrayTyper::multiply_and_fold(ExprId a, const std::string& a_labels, ExprId b, const std::string& b_labels,
                                     const std::string& out_labels, Summed summed) {
  std::string all = out_labels;
  for (const char c : a_labels + b_labels) {
    if (!has(all, c)) all += c;
  }
  if (all.empty()) return binary(Op::kMul, a, b);
  a = t_.array_of(a) != nullptr ? to_labels(a, a_labels, all) : a;
  b = t_.array_of(b) != nullptr ? to_labels(b, b_labels, all) : b;
  const ExprId products = binary(Op::kMul, a, b);
  FoldShape shape;
  shape.is_product = summed == Summed::equal;
  for (size_t k = 0; k < all.size(); ++k) shape.folded.push_back(k >= out_labels.size());
  if (all.size() == out_labels.size()) return products;
  return sum_of(products, shape, builtin_.builtin != nullptr ? builtin_.builtin->name : "matmul");
}

/// The sum over the letters that the result has not. Two arrays with letters of their own and common ones that go are a
/// matrix product; all others are multiplied and folded.
ExprId ArrayTyper::contract(ExprId a, const std::string& a_labels, ExprId b, const std::string& b_labels,
                            const std::string& out_labels, Summed summed) {
  if (!meet(a, b)) return poison();
  const bool m = std::any_of(a_labels.begin(), a_labels.end(), [&](char c) { return !has(b_labels, c); });
  const bool n = std::any_of(b_labels.begin(), b_labels.end(), [&](char c) { return !has(a_labels, c); });
  const bool k =
      std::any_of(a_labels.begin(), a_labels.end(), [&](char c) { return has(b_labels, c) && !has(out_labels, c); });
  if (!m || !n || !k) return multiply_and_fold(a, a_labels, b, b_labels, out_labels, summed);
  const DType type = t_.element_dtype(a);
  const bool half = is_half(type);
  const DType computed = half ? DType::f4 : type;
  const TypeId result = t_.array_type(computed, static_cast<int>(out_labels.size()));
  const ExprId out =
      t_.add(span_, result, ContractExpr{cast(a, computed), cast(b, computed), a_labels, b_labels, out_labels});
  return half ? cast(out, type) : out;
}

/// a @ b: vectors lose their axis; axes before the last two broadcast.
ExprId ArrayTyper::matmul(ExprId a, ExprId b, Span span, Span op_span) {
  span_ = span;
  if (t_.unknown(a) || t_.unknown(b)) return poison();
  const int p = t_.rank_of(a), q = t_.rank_of(b);
  if (p == 0 || q == 0) return t_.bad_operands(a, b, "@", op_span, "a number times an array is a * b");
  // Batch axes from the right: z, y, x …
  const int batch = std::max({p - 2, q - 2, 0});
  const std::string all = letters('a', batch);
  const auto of = [&](int rank) { return rank > 2 ? all.substr(static_cast<size_t>(batch - (rank - 2))) : ""; };
  const std::string a_labels = p == 1 ? "K" : of(p) + "MK", b_labels = q == 1 ? "K" : of(q) + "KN";
  const std::string out = (p > 2 || q > 2 ? all : "") + (p == 1 ? "" : "M") + (q == 1 ? "" : "N");
  return contract(a, a_labels, b, b_labels, out);
}

/// matmul, dot, vdot, inner, vecdot.
ExprId ArrayTyper::product(ArrayFn fn) {
  if (!bind({"a", "b"}, 2)) return poison();
  const ExprId a = value(0), b = value(1);
  if (!a.valid() || !b.valid()) return poison();
  const int p = t_.rank_of(a), q = t_.rank_of(b);
  if (fn == ArrayFn::kMatmul) return matmul(a, b, span_, span_);
  if (p == 0 || q == 0) return binary(Op::kMul, a, b);
  const auto conjugated = [&](ExprId x) { return is_complex(t_.element_dtype(x)) ? function("conj", {x}) : x; };
  if (fn == ArrayFn::kVecdot) {
    const int batch = std::max(p, q) - 1;
    const std::string all = letters('a', batch);
    return contract(conjugated(a), all.substr(static_cast<size_t>(batch - p + 1)) + "K", b,
                    all.substr(static_cast<size_t>(batch - q + 1)) + "K", all);
  }
  if (fn == ArrayFn::kVdot) return contract(conjugated(as_vector(a)), "K", as_vector(b), "K", "");
  if (fn == ArrayFn::kDot && p <= 2 && q <= 2) return matmul(a, b, span_, span_);
  const std::string left = letters('a', p - 1), right = letters('m', q - 1);
  if (fn == ArrayFn::kInner) return contract(a, left + "K", b, right + "K", left + right);
  std::string b_labels = right;  // dot: the last axis of a with the last but one of b
  b_labels.insert(q == 1 ? size_t{0} : static_cast<size_t>(q) - 2, 1, 'K');
  return contract(a, left + "K", b, b_labels, left + right);
}

ExprId ArrayTyper::outer(ArrayFn) {
  if (!bind({"a", "b"}, 2)) return poison();
  const ExprId a = array(0), b = array(1);
  if (!a.valid() || !b.valid()) return poison();
  return binary(Op::kMul, new_axis(as_vector(a), 1), new_axis(as_vector(b), 0));
}

/// tensordot(a, b, axes): the last axes of a with the first of b, or pairs of named axes.
ExprId ArrayTyper::tensordot(ArrayFn) {
  if (!bind({"a", "b", "axes"}, 2)) return poison();
  const ExprId a = array(0), b = array(1);
  if (!a.valid() || !b.valid()) return poison();
  const int p = t_.rank_of(a), q = t_.rank_of(b);
  std::vector<uint32_t> left, right;
  const syntax::Expr node = given(2) ? t_.ctx_.ast.exprs[args_[2]] : syntax::Expr{};
  const std::vector<SynExprId>* pair = nullptr;
  if (given(2)) {
    if (const auto* tuple = std::get_if<syntax::TupleExpr>(&node.kind)) pair = &tuple->elements;
    if (const auto* list = std::get_if<syntax::ListExpr>(&node.kind)) pair = &list->elements;
  }
  if (pair != nullptr) {
    if (pair->size() != 2) return bad(node.span, "axes of a and axes of b", "such as axes=([1], [0])");
    const auto l = axes((*pair)[0], p), r = axes((*pair)[1], q);
    if (!l || !r) return poison();
    left = *l, right = *r;
  } else {
    const auto count = constant_int(2, 2);
    if (!count) return poison();
    if (*count < 0 || *count > std::min(p, q)) return bad(span_, fmt::format("up to {} axes", std::min(p, q)), "");
    for (int k = 0; k < static_cast<int>(*count); ++k) {
      left.push_back(static_cast<uint32_t>(p - static_cast<int>(*count) + k));
      right.push_back(static_cast<uint32_t>(k));
    }
  }
  if (left.size() != right.size()) return bad(span_, "as many axes of a as of b", "");
  std::string a_labels = letters('a', p), b_labels = letters('A', q), out;
  for (size_t k = 0; k < left.size(); ++k) b_labels[right[k]] = a_labels[left[k]];
  for (const char c : a_labels) {
    if (!has(b_labels, c)) out += c;
  }
  for (const char c : b_labels) {
    if (!has(a_labels, c)) out += c;
  }
  return contract(a, a_labels, b, b_labels, out);
}

/// Sums the letters that neither the other operands nor the result have.
ExprId ArrayTyper::sum_away(ExprId array, std::string& labels, const std::string& kept) {
  FoldShape shape;
  std::string left;
  for (const char c : labels) {
    shape.folded.push_back(!has(kept, c));
    if (has(kept, c)) left += c;
  }
  if (left.size() == labels.size()) return array;
  labels = left;
  return sum_of(array, shape, "einsum");
}

/// einsum("ij,jk->ik", a, b, …): pairs are contracted from left to right.
ExprId ArrayTyper::einsum(ArrayFn) {
  if (call_->args.empty() || !text(call_->args[0])) {
    return bad(span_, "a text of letters first", "such as \"ij,jk->ik\"");
  }
  for (const syntax::KeywordArg& k : call_->keywords) {
    if (k.name == "optimize") continue;
    return bad(k.name_span, fmt::format("no '{}'", k.name), "");
  }
  std::vector<ExprId> values;
  std::vector<int> ranks;
  for (size_t k = 1; k < call_->args.size(); ++k) {
    values.push_back(value_of(call_->args[k]));
    if (!values.back().valid()) return poison();
    ranks.push_back(t_.rank_of(values.back()));
  }
  std::string problem;
  const auto parsed = parse_einsum(*text(call_->args[0]), ranks, problem);
  if (!parsed) return bad(span_of(call_->args[0]), problem, "");
  std::vector<std::string> labels = parsed->inputs;
  // A letter twice in one operand is its diagonal.
  for (size_t k = 0; k < values.size(); ++k) values[k] = diagonals(values[k], labels[k]);
  DType type = t_.element_dtype(values[0]);
  for (const ExprId v : values) type = types::promote(type, t_.element_dtype(v));
  ExprId out = cast(values[0], type);
  std::string own = labels[0];
  for (size_t k = 1; k < values.size(); ++k) {
    std::string later = parsed->output;
    for (size_t j = k + 1; j < labels.size(); ++j) later += labels[j];
    std::string right = labels[k], kept;
    out = sum_away(out, own, later + right);
    const ExprId b = sum_away(cast(values[k], type), right, later + own);
    for (const char c : own + right) {
      if (has(later, c) && !has(kept, c)) kept += c;
    }
    if (k + 1 == values.size()) kept = parsed->output;
    out = contract(out, own, b, right, kept, Summed::broadcast);
    own = kept;
    if (t_.unknown(out)) return poison();
  }
  out = sum_away(out, own, parsed->output);
  return t_.array_of(out) != nullptr ? to_labels(out, own, parsed->output) : out;
}

ExprId ArrayTyper::diagonals(ExprId array, std::string& labels) {
  const auto repeated = [&] {
    size_t at = 0;
    while (at < labels.size() && labels.find(labels[at], at + 1) == std::string::npos) ++at;
    return at;
  };
  for (size_t first = repeated(); first < labels.size(); first = repeated()) {
    const char letter = labels[first];
    const size_t second = labels.find(letter, first + 1);
    std::vector<uint32_t> order;
    for (uint32_t k = 0; k < labels.size(); ++k) {
      if (k != first && k != second) order.push_back(k);
    }
    order.push_back(static_cast<uint32_t>(first));
    order.push_back(static_cast<uint32_t>(second));
    const int rank = static_cast<int>(labels.size()) - 1;
    array = t_.add(span_, t_.array_type(t_.element_dtype(array), rank), DiagonalExpr{permute(array, std::move(order))});
    labels.erase(second, 1);
    labels.erase(first, 1);
    labels += letter;
  }
  return array;
}

/// The sum of a diagonal.
ExprId ArrayTyper::trace(ArrayFn fn) {
  const ExprId line = diagonal(fn);
  if (t_.unknown(line)) return poison();
  FoldShape shape{std::vector<bool>(static_cast<size_t>(t_.rank_of(line)), false), false};
  shape.folded.back() = true;
  return sum_of(cast(line, sum_dtype(t_.element_dtype(line))), shape, "trace");
}

}  // namespace jitc::sema
