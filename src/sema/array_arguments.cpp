// The arguments of functions of whole arrays: which parameter each is, and what may be known of it now.
#include <fmt/format.h>

#include <algorithm>

#include "src/sema/array_typer.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;

ExprId ArrayTyper::bad(Span span, std::string_view what, std::string_view help) {
  auto handle = t_.report(DiagId::kArrayArgument, span, t_.callee_text(*call_), what);
  if (!help.empty()) handle.help(std::string(help));
  return poison();
}

bool ArrayTyper::bind(const std::vector<std::string_view>& names, size_t needed) {
  auto bound = t_.bind_parameters(names, needed, *call_, span_);
  if (!bound) return false;
  args_ = std::move(*bound);
  for (size_t k = 0; k < names.size(); ++k) {
    if (names[k] != "out" || !given(k)) continue;
    t_.report(DiagId::kUnsupportedArray, span_of(args_[k]), fmt::format("'out' of {}()", t_.callee_text(*call_)))
        .help(fmt::format("store the result: {}[...] = …", t_.ctx_.file.text(span_of(args_[k])).substr(0, 40)));
    return false;
  }
  return true;
}

bool ArrayTyper::is_none(SynExprId id) const {
  return std::holds_alternative<syntax::NoneLit>(t_.ctx_.ast.exprs[id].kind);
}

Span ArrayTyper::span_of(SynExprId id) const { return t_.ctx_.ast.exprs[id].span; }

ExprId ArrayTyper::value_of(SynExprId id) {
  const ExprId out = t_.type_expr(id);
  if (t_.unknown(out)) return {};
  if (t_.array_of(out) != nullptr || t_.scalar_of(out) != nullptr) return out;
  bad(span_of(id), fmt::format("an array or a number, not {}", t_.type_text(out)), "");
  return {};
}

ExprId ArrayTyper::value(size_t index) { return value_of(args_[index]); }

ExprId ArrayTyper::array(size_t index) {
  const ExprId out = value(index);
  if (!out.valid() || t_.array_of(out) != nullptr) return out;
  t_.report(DiagId::kNeedsArray, span_of(args_[index]), t_.callee_text(*call_), t_.type_text(out));
  return {};
}

std::optional<bool> ArrayTyper::flag(size_t index, bool otherwise) {
  if (!given(index)) return otherwise;
  const ExprId v = t_.type_expr(args_[index]);
  if (t_.unknown(v)) return std::nullopt;
  if (const auto c = t_.constant_of(v)) return c->truthy();
  bad(span_of(args_[index]), "True or False", "what a function returns must be known when it is compiled");
  return std::nullopt;
}

std::optional<Int128> ArrayTyper::constant_int(SynExprId id) {
  const ExprId v = t_.type_expr(id);
  if (t_.unknown(v)) return std::nullopt;
  const auto c = t_.constant_of(v);
  if (c && !c->is_float()) return c->as_int();
  bad(span_of(id), "an int constant", "axes and ranks must be known when the function is compiled");
  return std::nullopt;
}

std::optional<Int128> ArrayTyper::constant_int(size_t index, Int128 otherwise) {
  return given(index) ? constant_int(args_[index]) : otherwise;
}

std::optional<uint32_t> ArrayTyper::axis(SynExprId id, int rank) {
  const auto v = constant_int(id);
  if (!v) return std::nullopt;
  if (*v >= -rank && *v < rank) return static_cast<uint32_t>(*v < 0 ? *v + rank : *v);
  bad(span_of(id), fmt::format("an axis from {} to {}", -rank, rank - 1),
      fmt::format("the array has {} ax{}", rank, rank == 1 ? "is" : "es"));
  return std::nullopt;
}

auto ArrayTyper::items(SynExprId id) const -> std::vector<SynExprId> {
  const syntax::Expr& node = t_.ctx_.ast.exprs[id];
  if (const auto* tuple = std::get_if<syntax::TupleExpr>(&node.kind)) return tuple->elements;
  if (const auto* list = std::get_if<syntax::ListExpr>(&node.kind)) return list->elements;
  return {id};
}

std::optional<std::vector<uint32_t>> ArrayTyper::axes(SynExprId id, int rank) {
  std::vector<uint32_t> out;
  for (const SynExprId part : items(id)) {
    const auto a = axis(part, rank);
    if (!a) return std::nullopt;
    if (std::find(out.begin(), out.end(), *a) != out.end()) {
      bad(span_of(part), "each axis once", "");
      return std::nullopt;
    }
    out.push_back(*a);
  }
  return out;
}

std::optional<std::vector<bool>> ArrayTyper::folded(size_t index, int rank) {
  std::vector<bool> out(static_cast<size_t>(rank), !given(index));
  if (!given(index)) return out;
  const auto named = axes(args_[index], rank);
  if (!named) return std::nullopt;
  for (const uint32_t a : *named) out[a] = true;
  return out;
}

std::optional<DType> ArrayTyper::dtype(size_t index) { return t_.element_type(args_[index], t_.callee_text(*call_)); }

ExprId ArrayTyper::extent_value(ExprId value) {
  if (t_.unknown(value)) return {};
  const Scalar* s = t_.scalar_of(value);
  if (s != nullptr && !types::is_inexact(s->dtype)) return t_.to_dtype(value, DType::i8);
  bad(t_.span_of(value), fmt::format("an int as an extent, not {}", t_.type_text(value)), "");
  return {};
}

std::optional<std::vector<ExprId>> ArrayTyper::shape_of_value(ExprId value, Span span) {
  if (t_.unknown(value)) return std::nullopt;
  std::vector<ExprId> out;
  if (const auto* tuple = t_.ctx_.types.as_tuple(t_.type_of(value))) {
    const size_t count = tuple->elements.size();
    for (uint32_t i = 0; i < count; ++i) {
      out.push_back(extent_value(t_.tuple_element(i == 0 ? value : again(value), i, span)));
      if (!out.back().valid()) return std::nullopt;
    }
    return out;
  }
  out.push_back(extent_value(value));
  if (!out.back().valid()) return std::nullopt;
  return out;
}

std::optional<std::vector<ExprId>> ArrayTyper::shape(SynExprId id) {
  const syntax::Expr node = t_.ctx_.ast.exprs[id];
  if (const auto* list = std::get_if<syntax::ListExpr>(&node.kind)) {
    return shape_of_value(t_.type_tuple(list->elements, node.span), node.span);
  }
  return shape_of_value(t_.type_expr(id), node.span);
}

std::optional<std::vector<ExprId>> ArrayTyper::arrays(SynExprId id) {
  const syntax::Expr node = t_.ctx_.ast.exprs[id];
  std::vector<ExprId> out;
  if (const auto* list = std::get_if<syntax::ListExpr>(&node.kind)) {
    for (const SynExprId item : list->elements) out.push_back(t_.type_expr(item));
  } else {
    const ExprId value = t_.type_expr(id);
    const auto* tuple = t_.ctx_.types.as_tuple(t_.type_of(value));
    if (t_.unknown(value)) return std::nullopt;
    if (tuple == nullptr) {
      bad(node.span, "a tuple or a list of arrays", "");
      return std::nullopt;
    }
    const size_t count = tuple->elements.size();
    for (uint32_t i = 0; i < count; ++i) out.push_back(t_.tuple_element(i == 0 ? value : again(value), i, node.span));
  }
  for (const ExprId item : out) {
    if (t_.unknown(item)) return std::nullopt;
    if (t_.array_of(item) != nullptr || t_.scalar_of(item) != nullptr) continue;
    bad(t_.span_of(item), fmt::format("arrays, not {}", t_.type_text(item)), "");
    return std::nullopt;
  }
  if (out.empty()) {
    bad(node.span, "at least one array", "");
    return std::nullopt;
  }
  return out;
}

std::optional<std::string> ArrayTyper::text(SynExprId id) const {
  const auto* literal = std::get_if<syntax::StringLit>(&t_.ctx_.ast.exprs[id].kind);
  return literal != nullptr ? std::optional(literal->value) : std::nullopt;
}

}  // namespace jitc::sema
