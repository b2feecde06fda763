// Conversions: explicit ones, operands that meet, truth values, and values that are used twice.
#include <fmt/format.h>

#include "src/sema/function_typer.hpp"
#include "src/sema/operands.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

ExprId FunctionTyper::convert(ExprId id, TypeId to) {
  const TypeId from = type_of(id);
  if (from == to || ctx_.types.is_unknown(from) || ctx_.types.is_unknown(to)) return id;
  const Scalar* target = ctx_.types.as_scalar(to);
  const Scalar* source = ctx_.types.as_scalar(from);
  const Span span = span_of(id);
  if (target && source && (is_complex(target->dtype) || is_complex(source->dtype))) return convert_complex(id, to);
  if (target && source) {
    if (const auto c = constant_of(id); c && (!target->weak() || target->strength == Strength::kWeakConst)) {
      return constant(span, *target, cast(*c, target->dtype));
    }
    if (const auto c = constant_of(id)) {  // one of several constants of a weak live range
      const ExprId out = constant(span, {target->dtype, Strength::kTyped}, cast(*c, target->dtype));
      fn_->exprs[out].type = to;
      fn_->exprs[out].constant = cast(*c, target->dtype);
      return out;
    }
    if (source->dtype == target->dtype) {  // weak to typed: the same value, known by another name
      const ExprId same = copy(id);
      fn_->exprs[same].type = to;
      return same;
    }
    if (ctx_.options.warn_f64 && source->strength == Strength::kWeakRuntime && source->dtype == DType::f8 &&
        target->dtype == DType::f4) {
      warn(DiagId::kWeakFloatInF64, span).help("compute it in f4: cast the int it is made of, f4(…)");
    }
    return add(span, to, ConvertExpr{id});
  }
  const auto* target_array = ctx_.types.as_array(to);
  const auto* source_array = ctx_.types.as_array(from);
  if (target_array && source_array && target_array->dtype == source_array->dtype &&
      target_array->rank == source_array->rank && target_array->space == source_array->space) {
    return add(span, to, ConvertExpr{id});
  }
  if (has_arrays() && target_array && source_array && target_array->rank == source_array->rank) {
    return map_cast(id, target_array->dtype, span);
  }
  const auto* target_tuple = ctx_.types.as_tuple(to);
  const auto* source_tuple = ctx_.types.as_tuple(from);
  if (target_tuple && source_tuple && target_tuple->elements.size() == source_tuple->elements.size()) {
    const std::vector<TypeId> wanted = target_tuple->elements;
    const Shared shared = share(id);
    std::vector<ExprId> elements;
    for (uint32_t i = 0; i < wanted.size(); ++i) {
      elements.push_back(convert(tuple_element(copy(shared.value), i, span), wanted[i]));
    }
    return wrap(shared, add(span, to, TupleExpr{std::move(elements)}));
  }
  report(DiagId::kCannotConvert, span, type_text(id), ctx_.types.to_string(to));
  return poison(span);
}

ExprId FunctionTyper::to_bool(ExprId id) {
  if (unknown(id)) return id;
  const Span span = span_of(id);
  const Scalar* s = scalar_of(id);
  if (s == nullptr) {
    if (array_of(id)) {
      report(DiagId::kArrayTruth, span, type_text(id))
          .help(has_arrays() ? "any(a) and all(a) are; np.where(a, x, y) chooses for each element"
                             : "test an element, or its size: a.size != 0");
    } else {
      report(DiagId::kNotANumber, span, "a condition", type_text(id));
    }
    return poison(span);
  }
  return to_dtype(id, DType::b1);
}

std::optional<types::Scalar> FunctionTyper::require_scalar(ExprId id, std::string_view what) {
  if (unknown(id)) return std::nullopt;
  if (const Scalar* s = scalar_of(id)) return *s;
  auto handle = report(DiagId::kNotANumber, span_of(id), what, type_text(id));
  if (array_of(id) && has_arrays()) {
    handle.help("give one number; x.astype(type) converts all elements");
  } else if (array_of(id)) {
    handle.help("a thread kernel works on elements: index the array, as in a[i]");
  }
  return std::nullopt;
}

ExprId FunctionTyper::adapt(ExprId id, Scalar to) {
  const auto c = constant_of(id);
  const Scalar* s = scalar_of(id);
  if (c && s && s->weak() && !to.weak() && is_int(to.dtype) && !c->is_float() && !fits(*c, to.dtype)) {
    const std::string type(name(to.dtype));
    report(DiagId::kConstantDoesNotFit, span_of(id), to_string(*c), type)
        .help(fmt::format("cast the constant to choose the arithmetic: i8({})", to_string(*c)))
        .fixit(span_of(id), fmt::format("i8({})", to_string(*c)));
    return poison(span_of(id));
  }
  return convert(id, ctx_.types.scalar(to));
}

/// The scalar type in which two operands meet. In arithmetic b1 counts as an int, unless its partner is a typed number.
types::Scalar FunctionTyper::meet(ExprId a, ExprId b, bool arithmetic) {
  Scalar x = *scalar_of(a), y = *scalar_of(b);
  if (arithmetic) {
    const bool counts_x = x.dtype == DType::b1 && (y.weak() || y.dtype == DType::b1);
    const bool counts_y = y.dtype == DType::b1 && (x.weak() || x.dtype == DType::b1);
    if (counts_x) x = types::as_arithmetic_operand(x);
    if (counts_y) y = types::as_arithmetic_operand(y);
  }
  return types::join(x, y);
}

std::optional<TypeId> FunctionTyper::join_types(TypeId a, TypeId b) {
  if (a == b || ctx_.types.is_unknown(b)) return a;
  if (ctx_.types.is_unknown(a)) return b;
  const Scalar* x = ctx_.types.as_scalar(a);
  const Scalar* y = ctx_.types.as_scalar(b);
  if (x && y) return ctx_.types.scalar(types::join(*x, *y));
  const auto* p = ctx_.types.as_array(a);
  const auto* q = ctx_.types.as_array(b);
  if (p && q && p->dtype == q->dtype && p->rank == q->rank && p->space == q->space) {
    types::ArrayType out = *p;
    if (p->layout != q->layout) out.layout = Layout::any;
    out.readonly = p->readonly || q->readonly;
    if (p->extent_names != q->extent_names) out.extent_names.clear();
    return ctx_.types.array(std::move(out));
  }
  const auto* s = ctx_.types.as_tuple(a);
  const auto* t = ctx_.types.as_tuple(b);
  if (s && t && s->elements.size() == t->elements.size()) {
    const std::vector<TypeId> left = s->elements, right = t->elements;
    std::vector<TypeId> elements;
    for (size_t i = 0; i < left.size(); ++i) {
      const auto joined = join_types(left[i], right[i]);
      if (!joined) return std::nullopt;
      elements.push_back(*joined);
    }
    return ctx_.types.tuple(std::move(elements));
  }
  return std::nullopt;
}

bool FunctionTyper::differ_in_memory(TypeId a, TypeId b) const {
  const auto *p = ctx_.types.as_array(a), *q = ctx_.types.as_array(b);
  return p && q && p->space != q->space;
}

FunctionTyper::Shared FunctionTyper::share(ExprId id) {
  const auto is_leaf = [&](ExprId e) {
    return constant_of(e).has_value() || std::holds_alternative<VarExpr>(fn_->exprs[e].kind);
  };
  const auto* z = std::get_if<ComplexExpr>(&fn_->exprs[id].kind);
  const bool leaf = is_leaf(id) || (z && is_leaf(z->real) && is_leaf(z->imag));
  if (leaf || unknown(id)) return {id, VarId(), ExprId()};
  const VarId var = temporary(type_of(id), span_of(id));
  return {add(span_of(id), type_of(id), VarExpr{var}), var, id};
}

ExprId FunctionTyper::wrap(const Shared& shared, ExprId body) {
  if (!shared.var.valid()) return body;
  const ExprId out = add(span_of(body), type_of(body), LetExpr{shared.var, shared.init, body});
  if (has_effect(*fn_, shared.init)) {  // known or not, it has to happen
    fn_->exprs[out].type = at_run_time(type_of(body));
  } else {
    fn_->exprs[out].constant = constant_of(body);
  }
  return out;
}

}  // namespace jitc::sema
