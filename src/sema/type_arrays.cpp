// Arrays: elements, views, attributes.
#include <fmt/format.h>

#include "src/base/match.hpp"
#include "src/sema/array_typer.hpp"
#include "src/sema/function_typer.hpp"
#include "src/sema/operands.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

ExprId FunctionTyper::type_subscript(const syntax::SubscriptExpr& e, Span span) {
  const ExprId base = type_expr(e.base);
  if (unknown(base)) {
    if (!final_) return base;
    type_expr(e.index);
    return poison(span);
  }
  if (ctx_.types.as_tuple(type_of(base))) {
    const syntax::Expr index = ctx_.ast.exprs[e.index];
    const auto* slice = std::get_if<syntax::SliceExpr>(&index.kind);
    return slice != nullptr ? tuple_slice(base, *slice, span) : tuple_item(base, e.index, span);
  }
  if (array_of(base) == nullptr) {
    report(DiagId::kNotIndexable, ctx_.ast.exprs[e.base].span, type_text(base))
        .help("only arrays and tuples can be indexed");
    return poison(span);
  }
  const IndexList list = type_index_list(base, e.index, span);
  return list.ok ? select(base, list, span) : poison(span);
}

bool FunctionTyper::add_index(ExprId value, IndexList& out) {
  if (unknown(value)) return false;
  if (const auto* t = ctx_.types.as_tuple(type_of(value))) {
    const uint32_t count = static_cast<uint32_t>(t->elements.size());
    for (uint32_t i = 0; i < count; ++i) {
      if (!add_index(tuple_element(i == 0 ? value : copy(value), i, span_of(value)), out)) return false;
    }
    return true;
  }
  const Scalar* s = scalar_of(value);
  if (s == nullptr || !is_int(s->dtype)) {
    auto handle = report(DiagId::kBadIndex, span_of(value), type_text(value));
    if (array_of(value)) {
      handle.help(!has_arrays() ? "loop over the indices; indexing with an array is not for thread kernels"
                  : array_of(value)->dtype == DType::b1
                      ? "choose with np.where(mask, a, b), or assign with a[mask] = number"
                      : "gathers of whole arrays are not here yet");
    } else if (s && is_complex(s->dtype)) {
      handle.help("take its real part: int(z.real)");
    } else if (s && is_float(s->dtype)) {
      handle.help("convert it: int(…) truncates")
          .fixit(span_of(value), fmt::format("int({})", ctx_.file.text(span_of(value))));
    } else if (s) {
      handle.help("convert it: int(…)").fixit(span_of(value), fmt::format("int({})", ctx_.file.text(span_of(value))));
    }
    return false;
  }
  AxisSelection axis;
  axis.index = to_dtype(value, is_unsigned_int(s->dtype) ? DType::u8 : DType::i8);
  out.axes.push_back(axis);
  return true;
}

/// A slice's bound as i8; an invalid id where it was left out. Nothing after a report.
std::optional<ExprId> FunctionTyper::slice_bound(SynExprId id) {
  if (!id.valid()) return ExprId();
  const ExprId value = type_expr(id);
  if (unknown(value)) return std::nullopt;
  const Scalar* s = scalar_of(value);
  if (s == nullptr || !is_int(s->dtype)) {
    report(DiagId::kBadIndex, span_of(value), type_text(value)).help("the bounds of a slice are ints");
    return std::nullopt;
  }
  return to_dtype(value, DType::i8);
}

FunctionTyper::IndexList FunctionTyper::type_index_list(ExprId array, SynExprId index, Span span) {
  IndexList out;
  const size_t rank = static_cast<size_t>(array_of(array)->rank);
  const syntax::Expr node = ctx_.ast.exprs[index];
  std::vector<SynExprId> parts{index};
  if (const auto* t = std::get_if<syntax::TupleExpr>(&node.kind)) parts = t->elements;
  size_t ellipsis_at = SIZE_MAX, new_axes = 0;
  for (SynExprId part : parts) {
    const syntax::Expr p = ctx_.ast.exprs[part];
    if (std::holds_alternative<syntax::EllipsisExpr>(p.kind)) {
      if (ellipsis_at != SIZE_MAX) {
        report(DiagId::kTwoEllipses, p.span);
        return out;
      }
      ellipsis_at = out.axes.size();
    } else if (std::holds_alternative<syntax::NoneLit>(p.kind)) {
      if (!has_arrays()) {
        unsupported(p.span, "a new axis (None)", "index the array with as many ints as it has axes");
        return out;
      }
      out.axes.push_back({true, ExprId(), ExprId(), ExprId(), ExprId(), true});
      ++new_axes;
    } else if (const auto* s = std::get_if<syntax::SliceExpr>(&p.kind)) {
      const auto lower = slice_bound(s->lower), upper = slice_bound(s->upper), step = slice_bound(s->step);
      if (!lower || !upper || !step) return out;
      if (step->valid() && constant_of(*step) && constant_of(*step)->as_int() == 0) {
        report(DiagId::kZeroStep, span_of(*step), "a slice");
        return out;
      }
      out.axes.push_back({true, ExprId(), *lower, *upper, *step});
    } else if (!add_index(type_expr(part), out)) {
      return out;
    }
  }
  if (out.axes.size() - new_axes > rank) {
    report(DiagId::kTooManyIndices, ctx_.ast.exprs[index].span, out.axes.size() - new_axes, type_text(array), rank);
    return out;
  }
  const AxisSelection whole{true, ExprId(), ExprId(), ExprId(), ExprId()};
  const size_t missing = rank - (out.axes.size() - new_axes);
  const size_t at = ellipsis_at == SIZE_MAX ? out.axes.size() : ellipsis_at;
  out.axes.insert(out.axes.begin() + static_cast<std::ptrdiff_t>(at), missing, whole);
  for (const AxisSelection& a : out.axes) out.all_indices = out.all_indices && !a.is_slice;
  out.ok = true;
  (void)span;
  return out;
}

/// The element, or the view that the slices leave.
ExprId FunctionTyper::select(ExprId array, const IndexList& list, Span span) {
  const types::ArrayType type = *array_of(array);
  if (list.all_indices) {
    std::vector<ExprId> indices;
    for (const AxisSelection& a : list.axes) indices.push_back(a.index);
    return add(span, ctx_.types.scalar(type.dtype), ElementExpr{array, std::move(indices)});
  }
  types::ArrayType view{type.dtype, 0, Layout::any, type.readonly, {}, type.space};
  // Leading indices and then whole axes of a C array leave a C array.
  bool stays_c = type.layout == Layout::c;
  bool sliced = false;
  for (const AxisSelection& a : list.axes) {
    if (a.is_slice) ++view.rank;
    const bool whole = a.is_slice && !a.lower.valid() && !a.upper.valid() && !a.step.valid();
    const bool first_part = a.is_slice && !a.is_new && !sliced && !a.step.valid();
    stays_c = stays_c && ((!a.is_slice && !sliced) || whole || first_part);
    sliced = sliced || a.is_slice;
  }
  view.layout = stays_c ? Layout::c : Layout::any;
  return add(span, ctx_.types.array(std::move(view)), ViewExpr{array, list.axes});
}

/// The constants that an expression names; null for other arrays.
const ConstantArray* FunctionTyper::table_of(ExprId array) const {
  const auto* memory = std::get_if<MemoryExpr>(&fn_->exprs[array].kind);
  return memory ? memory->values.get() : nullptr;
}

ExprId FunctionTyper::extent(ExprId array, uint32_t axis, Span span) {
  const ExprId out = add(span, ctx_.types.scalar(DType::i8, Strength::kWeakRuntime), ExtentExpr{array, axis});
  // The extents of a table are known now, so that they can be the shape of another array.
  if (const ConstantArray* table = table_of(array)) {
    fn_->exprs[out].constant = Constant::of_int(static_cast<Int128>(table->shape[axis]));
  }
  return out;
}

ExprId FunctionTyper::array_attribute(ExprId array, const std::string& name, Span name_span, Span span) {
  if (has_effect(*fn_, array)) {  // what is used once per axis happens once
    const Shared shared = share(array);
    return wrap(shared, array_attribute(copy(shared.value), name, name_span, span));
  }
  const types::ArrayType type = *array_of(array);
  const uint32_t rank = static_cast<uint32_t>(type.rank);
  const TypeId weak = ctx_.types.scalar(DType::i8, Strength::kWeakRuntime);
  const auto per_axis = [&](auto make) {
    std::vector<ExprId> elements;
    for (uint32_t axis = 0; axis < rank; ++axis) elements.push_back(make(axis == 0 ? array : copy(array), axis));
    return add(span, ctx_.types.tuple(std::vector<TypeId>(rank, weak)), TupleExpr{std::move(elements)});
  };
  if (name == "shape") return per_axis([&](ExprId a, uint32_t axis) { return extent(a, axis, span); });
  if (name == "strides") return per_axis([&](ExprId a, uint32_t axis) { return add(span, weak, StrideExpr{a, axis}); });
  if (name == "ndim") return weak_int(span, static_cast<Int128>(rank));
  if (name == "itemsize") return weak_int(span, static_cast<Int128>(size_bytes(type.dtype)));
  if (name == "size") {
    const ExprId out = add(span, weak, SizeExpr{array});
    const size_t item = size_bytes(type.dtype);
    if (const ConstantArray* table = table_of(array)) {
      fn_->exprs[out].constant = Constant::of_int(static_cast<Int128>(table->bytes.size() / item));
    }
    return out;
  }
  if (has_arrays() && (name == "real" || name == "imag")) return array_part(array, name, span);
  if (has_arrays() && name == "T") return ArrayTyper(*this).reverse_axes(array, span);
  if (has_arrays() && name == "mT" && rank >= 2) {
    std::vector<uint32_t> axes(rank);
    for (uint32_t k = 0; k < rank; ++k) axes[k] = k;
    std::swap(axes[rank - 1], axes[rank - 2]);
    return add(span, array_type(type.dtype, type.rank), PermuteExpr{array, std::move(axes)});
  }
  if ((name == "real" || name == "imag") && is_complex(type.dtype)) {
    types::ArrayType t = type;
    t.dtype = part_type(type.dtype);
    t.layout = Layout::any;
    return add(span, ctx_.types.array(std::move(t)), PartViewExpr{array, name == "imag", nullptr});
  }
  if (name == "T") {
    types::ArrayType t = type;
    t.layout = rank == 1                        ? type.layout
               : type.layout == Layout::c       ? Layout::fortran
               : type.layout == Layout::fortran ? Layout::c
                                                : Layout::any;
    t.extent_names.clear();
    return add(span, ctx_.types.array(std::move(t)), TransposeExpr{array});
  }
  report(DiagId::kNoAttribute, name_span, type_text(array), name)
      .help("arrays have .shape .strides .ndim .size .itemsize .dtype .T; complex ones .real and .imag too");
  return poison(span);
}

}  // namespace jitc::sema
