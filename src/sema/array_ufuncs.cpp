// Methods of ufuncs in array functions: np.add.reduce(x, axis=0) is a fold, np.multiply.outer(a, b) a map.
#include <fmt/format.h>

#include "src/sema/array_typer.hpp"

namespace jitc::sema {

using source::DiagId;

namespace {

struct ReduceRow {
  std::string_view ufunc, fold;
};
constexpr ReduceRow kReduces[] = {
    {"add", "sum"},     {"multiply", "prod"}, {"maximum", "max"},     {"minimum", "min"},
    {"fmax", "nanmax"}, {"fmin", "nanmin"},   {"logical_and", "all"}, {"logical_or", "any"},
};

const Builtin* fold_of(std::string_view ufunc) {
  for (const ReduceRow& row : kReduces) {
    if (row.ufunc == ufunc) return ArrayTyper::folding(find_builtin(Module::kNumpy, row.fold));
  }
  return nullptr;
}

/// Of two values, so that NumPy has the methods.
bool is_binary_ufunc(const Builtin& row) {
  switch (row.rule) {
    case Rule::kOperator:
    case Rule::kComparison:
    case Rule::kMinMax:
    case Rule::kMath2:
    case Rule::kFmod:
    case Rule::kCopySign: return true;
    case Rule::kLogical: return row.name != "logical_not";
    default: return false;
  }
}

}  // namespace

ExprId ArrayTyper::ufunc_method(const Entity& ufunc, const syntax::AttributeExpr& method, const Syntax& e, Span span) {
  call_ = &e;
  span_ = span;
  const auto* builtin = std::get_if<BuiltinEntity>(&ufunc);
  const auto unsupported = [&](std::string_view help) {
    t_.report(DiagId::kUnsupportedArray, method.name_span, fmt::format("{}()", t_.callee_text(e)))
        .help(std::string(help));
    return poison();
  };
  if (method.name == "outer" && (builtin == nullptr || is_binary_ufunc(*builtin->builtin))) return outer_of(ufunc);
  if (builtin == nullptr) {
    return unsupported(
        method.name == "reduce"
            ? "call it from the host, where a ufunc has reduce(); here there are np.add.reduce(x, axis=0) and its like"
            : "call it from the host, where a ufunc has reduce(), accumulate(), outer() and at()");
  }
  const Builtin* fold = fold_of(builtin->builtin->name);
  if (method.name != "reduce" || fold == nullptr) {
    return unsupported(
        "reduce() of add, multiply, maximum, minimum, fmax, fmin, logical_and and logical_or, and outer() of functions "
        "of two values are here");
  }
  if (e.args.size() > 2)
    return bad(span_of(e.args[2]), "the array and its axis; all else by name", "dtype=, keepdims=");
  builtin_ = {fold, Module::kNumpy};
  folds_first_axis_ = true;
  return (this->*function_of(fold->as<ArrayFn>()))(fold->as<ArrayFn>());
}

/// Each element of one with each of the other: the axes of the first, then those of the second.
ExprId ArrayTyper::outer_of(const Entity& ufunc) {
  if (!bind({"A", "B"}, 2)) return poison();
  ExprId a = value(0);
  const ExprId b = value(1);
  if (!a.valid() || !b.valid()) return poison();
  for (int k = 0; t_.array_of(a) != nullptr && k < t_.rank_of(b); ++k) {
    a = new_axis(a, static_cast<uint32_t>(t_.rank_of(a)));
  }
  if (const auto* builtin = std::get_if<BuiltinEntity>(&ufunc)) return function(builtin->builtin->name, {a, b});
  const uint32_t number = std::get<FunctionEntity>(ufunc).function;
  if (!t_.any_array({a, b})) return t_.call_with(number, {a, b}, span_);
  return t_.map_elements({a, b}, span_, [&](const std::vector<ExprId>& x) { return t_.call_with(number, x, span_); });
}

}  // namespace jitc::sema
