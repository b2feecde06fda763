// np.array of nested lists: constants become an array of constants, what is computed is put among them.
#include <fmt/format.h>

#include "src/sema/array_typer.hpp"
#include "src/sema/static_array.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;
using Cmp = syntax::CompareOp;
using Op = syntax::BinaryOp;

namespace {

const char kRowsHelp[] = "nested lists of numbers, every row as long as the others: np.array([[1, 2], [3, 4]])";
const char kStackHelp[] = "np.stack(…) makes an array of arrays, np.concatenate(…) puts them one behind the other";

/// What is computed is chosen by its place in each element: more of them cost more than memory of their own would.
constexpr size_t kMaxComputed = 64;
constexpr size_t kMaxDepth = 3;

/// The constants as nested tuples, from `next` on.
StaticValue nested(const std::vector<uint64_t>& shape, size_t depth, const std::vector<StaticValue>& values,
                   size_t& next) {
  if (depth == shape.size()) return values[next++];
  StaticValue out;
  out.is_tuple = true;
  for (uint64_t k = 0; k < shape[depth]; ++k) out.elements.push_back(nested(shape, depth + 1, values, next));
  return out;
}

}  // namespace

/// The numbers of nested lists in C order, and their shape.
class ArrayTyper::Items {
 public:
  explicit Items(ArrayTyper& typer) : typer_(typer), t_(typer.t_) {}

  /// False after a report.
  bool gather(SynExprId id, size_t depth) {
    const syntax::Expr node = t_.ctx_.ast.exprs[id];
    const auto* list = std::get_if<syntax::ListExpr>(&node.kind);
    const auto* tuple = std::get_if<syntax::TupleExpr>(&node.kind);
    if (list == nullptr && tuple == nullptr) return gather_value(t_.type_expr(id), depth, node.span);
    const auto& elements = list != nullptr ? list->elements : tuple->elements;
    if (!begin_row(elements.size(), depth, node.span)) return false;
    for (const SynExprId element : elements) {
      if (!gather(element, depth + 1)) return false;
    }
    return true;
  }

  /// Items of tuples that have a name.
  bool gather_value(ExprId value, size_t depth, Span span) {
    if (t_.unknown(value)) return false;
    if (const auto* tuple = t_.ctx_.types.as_tuple(t_.type_of(value))) {
      const size_t count = tuple->elements.size();
      if (!begin_row(count, depth, span)) return false;
      for (uint32_t k = 0; k < count; ++k) {
        const ExprId item = t_.tuple_element(k == 0 ? value : t_.copy(value), k, span);
        if (!gather_value(item, depth + 1, span)) return false;
      }
      return true;
    }
    if (t_.scalar_of(value) == nullptr) {
      typer_.bad(span, fmt::format("lists of numbers, not of {}", t_.type_text(value)), kStackHelp);
      return false;
    }
    if (has_numbers_ && depth != shape.size()) {
      typer_.bad(span,
                 fmt::format("rows of one depth: here is a number, and a list of {} at its place in the first row",
                             shape[depth]),
                 kRowsHelp);
      return false;
    }
    has_numbers_ = true;
    numbers.push_back(value);
    return true;
  }

  std::vector<uint64_t> shape;
  std::vector<ExprId> numbers;

 private:
  bool begin_row(size_t count, size_t depth, Span span) {
    if (depth == shape.size() && has_numbers_) {
      typer_.bad(span, "rows of one depth: here is a list, and a number at its place in the first row", kRowsHelp);
      return false;
    }
    if (depth == kMaxDepth) {
      typer_.bad(span, fmt::format("lists at most {} deep", kMaxDepth), "reshape an array of fewer axes");
      return false;
    }
    if (depth == shape.size()) shape.push_back(count);
    if (shape[depth] == count) return true;
    typer_.bad(span,
               fmt::format("rows of one length: this one has {} item{}, the first has {}", count, count == 1 ? "" : "s",
                           shape[depth]),
               kRowsHelp);
    return false;
  }

  ArrayTyper& typer_;
  FunctionTyper& t_;
  bool has_numbers_ = false;
};

/// array(object, dtype): of nested lists; of an array a copy.
ExprId ArrayTyper::array_of() {
  if (!bind({"object", "dtype"}, 1)) return poison();
  const syntax::Expr node = t_.ctx_.ast.exprs[args_[0]];
  Items items(*this);
  const bool is_literal =
      std::holds_alternative<syntax::ListExpr>(node.kind) || std::holds_alternative<syntax::TupleExpr>(node.kind);
  if (is_literal) {
    if (!items.gather(args_[0], 0)) return poison();
  } else {
    const ExprId value = t_.type_expr(args_[0]);
    if (t_.unknown(value)) return poison();
    if (t_.ctx_.types.as_tuple(t_.type_of(value)) == nullptr) return copy_of(value, node.span);
    if (!items.gather_value(value, 0, node.span)) return poison();
  }
  std::optional<DType> type = DType::f8;
  if (given(1)) {
    type = dtype(1);
  } else if (!items.numbers.empty()) {
    type = common_dtype(items.numbers);
  }
  return type ? array_of_items(items.shape, items.numbers, *type) : poison();
}

/// An array, or a number as it is.
ExprId ArrayTyper::copy_of(ExprId value, Span span) {
  if (t_.array_of(value) == nullptr && t_.scalar_of(value) == nullptr) {
    return bad(span, fmt::format("an array, or lists of numbers, not {}", t_.type_text(value)), kRowsHelp);
  }
  value = in_given_type(value);
  return t_.array_of(value) == nullptr || t_.unknown(value) ? value : copied(value);
}

DType ArrayTyper::common_dtype(const std::vector<ExprId>& numbers) const {
  Scalar out{default_dtype(numbers[0]), Strength::kTyped};
  for (const ExprId id : numbers) out = types::join(out, {default_dtype(id), Strength::kTyped});
  return out.dtype;
}

ExprId ArrayTyper::array_of_items(const std::vector<uint64_t>& shape, const std::vector<ExprId>& numbers, DType type) {
  std::vector<StaticValue> constants;
  std::vector<size_t> computed;
  for (size_t k = 0; k < numbers.size(); ++k) {
    const auto c = t_.constant_of(numbers[k]);
    if (!c) computed.push_back(k);
    constants.push_back({*t_.scalar_of(numbers[k]), c.value_or(Constant::of_int(0)), false, {}});
    if (!c) constants.back().type = {type, Strength::kTyped};
  }
  if (computed.size() > kMaxComputed) {
    return bad(span_, fmt::format("at most {} numbers that are no constants, not {}", kMaxComputed, computed.size()),
               "make an array with np.empty(…) and store them to its places, or compute it from np.arange(…)");
  }
  ArrayArguments args;
  size_t next = 0;
  // Complex constants, and what is computed, are put in their places below.
  for (StaticValue& v : constants) {
    if (is_complex(v.type.dtype)) v.type = {DType::f8, Strength::kWeakConst};
  }
  args.positional.push_back(nested(shape, 0, constants, next));
  args.dtype = type;
  const ArrayResult made = make_array(ArrayMaker::kArray, std::move(args));
  if (made.array == nullptr) {
    t_.report(DiagId::kBadConstantArray, span_, made.why).help(made.help);
    return poison();
  }
  StaticValue table;
  table.array = made.array;
  ExprId out = copied(t_.constant_array(table, "", span_));
  if (computed.empty()) return out;
  const Let place(*this, places(shape));
  for (const size_t k : computed) {
    const ExprId here = compare(Cmp::kEq, place.value(), number(static_cast<Int128>(k)));
    out = function("where", {here, t_.to_dtype(numbers[k], type), out});
  }
  return place.close(out);
}

/// The number of each element in C order.
ExprId ArrayTyper::places(const std::vector<uint64_t>& shape) {
  ExprId out;
  Int128 step = 1;
  const int rank = static_cast<int>(shape.size());
  for (uint32_t axis = static_cast<uint32_t>(rank); axis-- > 0;) {
    const ExprId along = index_along(integer(static_cast<Int128>(shape[axis])), rank, axis);
    const ExprId scaled = step == 1 ? along : binary(Op::kMul, along, number(step));
    out = out.valid() ? binary(Op::kAdd, scaled, out) : scaled;
    step *= static_cast<Int128>(shape[axis]);
  }
  return out;
}

}  // namespace jitc::sema
