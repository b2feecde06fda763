// Assignments to the memory of arrays: elements, views, masks.
#include <fmt/format.h>

#include "src/sema/function_typer.hpp"
#include "src/sema/operands.hpp"
#include "src/types/promotion.hpp"

namespace jitc::sema {

using source::DiagId;

/// z.real and z.imag of a complex array, all of whose elements an array function may assign.
std::optional<ExprId> FunctionTyper::part_target(SynExprId target) {
  const syntax::Expr node = ctx_.ast.exprs[target];
  const auto* attribute = std::get_if<syntax::AttributeExpr>(&node.kind);
  if (attribute == nullptr || !has_arrays() || (attribute->name != "real" && attribute->name != "imag")) return {};
  const ExprId view = type_expr(target);
  if (unknown(view)) return view;
  if (array_of(view) == nullptr || !std::holds_alternative<PartViewExpr>(fn_->exprs[view].kind)) return {};
  return view;
}

/// Reports a store that nothing could read: np.sqrt(x)[0] = 1 is one to new memory.
bool FunctionTyper::is_computed_target(ExprId array, SynExprId base) {
  if (!has_arrays() || !std::holds_alternative<MapExpr>(fn_->exprs[array].kind)) return false;
  report(DiagId::kBadTarget, ctx_.ast.exprs[base].span)
      .help(
          "it is computed here, and lost behind the statement; give it a name first, or assign to what it is made of");
  return true;
}

void FunctionTyper::assign_element(const syntax::SubscriptExpr& target, Span target_span, ExprId value, Span span) {
  const ExprId array = type_expr(target.base);
  if (unknown(array)) return;
  if (array_of(array) == nullptr) {
    auto handle = report(DiagId::kNotIndexable, ctx_.ast.exprs[target.base].span, type_text(array));
    handle.help(ctx_.types.as_tuple(type_of(array)) ? "the items of a tuple cannot be assigned"
                                                    : "only elements of arrays can be assigned");
    return;
  }
  if (is_computed_target(array, target.base)) return;
  if (has_arrays()) {
    if (const auto mask = mask_index(target.index)) return store_where(array, *mask, value, span);
  }
  const IndexList list = type_index_list(array, target.index, target_span);
  if (!list.ok || unknown(value)) return;
  if (has_arrays()) return store_view(select(array, list, target_span), value, span);
  if (!list.all_indices) {
    unsupported(target_span, "assigning to a slice", "assign element by element in a loop");
    return;
  }
  if (!require_scalar(value, "an element") || !require_writable(array, target_span)) return;
  std::vector<ExprId> indices;
  for (const AxisSelection& a : list.axes) indices.push_back(a.index);
  emit(span, StoreStmt{array, std::move(indices), to_dtype(value, array_of(array)->dtype)});
}

/// All elements of a view become the value's, which broadcasts.
void FunctionTyper::store_view(ExprId view, ExprId value, Span span) {
  if (unknown(view) || unknown(value)) return;
  if (array_of(value) == nullptr && !require_scalar(value, "an element")) return;
  if (rank_of(value) > rank_of(view)) {
    report(DiagId::kStoreRank, span, type_text(value), rank_of(view))
        .help("drop axes of extent 1 with squeeze(…, axis) or an index");
    return;
  }
  const DType dtype = element_dtype(view);
  if (is_complex(element_dtype(value)) && !is_complex(dtype)) {
    report(DiagId::kCannotConvert, span_of(value), type_text(value), type_text(view)).help("take .real or abs() of it");
    return;
  }
  const ExprId typed = array_of(value) != nullptr ? map_cast(value, dtype, span) : to_dtype(value, dtype);
  emit(span, StoreViewStmt{view, typed});
}

/// The one array of bools that stands as an index.
std::optional<ExprId> FunctionTyper::mask_index(SynExprId index) {
  const auto& kind = ctx_.ast.exprs[index].kind;
  if (std::holds_alternative<syntax::TupleExpr>(kind) || std::holds_alternative<syntax::SliceExpr>(kind) ||
      std::holds_alternative<syntax::EllipsisExpr>(kind) || std::holds_alternative<syntax::NoneLit>(kind)) {
    return std::nullopt;
  }
  const ExprId value = type_expr(index);
  if (array_of(value) != nullptr && array_of(value)->dtype == DType::b1) return value;
  pretyped_ = {index, value};
  return std::nullopt;
}

/// array[mask] = number: where(mask, number, array) in place.
void FunctionTyper::store_where(ExprId array, ExprId mask, ExprId value, Span span, bool is_augmented) {
  if (unknown(array) || unknown(mask) || unknown(value)) return;
  if (is_augmented && !fits_augmented(array, value, span)) return;
  if (array_of(value) != nullptr && !is_augmented) {
    report(DiagId::kStoreRank, span, type_text(value), 0)
        .help("assign one number to the elements of a mask; a[...] = np.where(mask, values, a) chooses among arrays");
    return;
  }
  if (rank_of(mask) > rank_of(array)) {
    report(DiagId::kTooManyIndices, span_of(mask), rank_of(mask), type_text(array), rank_of(array));
    return;
  }
  // A mask of fewer axes is of the first ones.
  if (const int more = rank_of(array) - rank_of(mask); more > 0) {
    ViewExpr view{mask, std::vector<AxisSelection>(static_cast<size_t>(rank_of(mask)), {true, {}, {}, {}, {}})};
    view.axes.insert(view.axes.end(), static_cast<size_t>(more), {true, {}, {}, {}, {}, true});
    mask = add(span_of(mask), array_type(DType::b1, rank_of(array)), std::move(view));
  }
  const Shared target = share(array);
  if (target.var.valid()) emit(span, AssignStmt{target.var, target.init});
  const DType dtype = element_dtype(array);
  const ExprId chosen = map_elements({mask, copy(target.value), value}, span, [&](const std::vector<ExprId>& e) {
    if (is_complex(dtype)) return complex_select(e[0], to_dtype(e[2], dtype), e[1], *scalar_of(e[1]), span);
    return add(span, ctx_.types.scalar(dtype), SelectExpr{e[0], to_dtype(e[2], dtype), e[1]});
  });
  if (!unknown(chosen)) emit(span, StoreViewStmt{copy(target.value), chosen});
}

/// a[i] op= value: array and indices are evaluated once.
void FunctionTyper::type_aug_element(const syntax::AugAssignStmt& s, const syntax::SubscriptExpr& target, Span span) {
  const Span target_span = ctx_.ast.exprs[s.target].span;
  const ExprId array = type_expr(target.base);
  if (unknown(array)) return;
  if (array_of(array) == nullptr) {
    report(DiagId::kNotIndexable, ctx_.ast.exprs[target.base].span, type_text(array))
        .help("only elements of arrays can be assigned");
    return;
  }
  if (is_computed_target(array, target.base)) return;
  if (has_arrays()) {
    if (const auto mask = mask_index(target.index)) {
      const Shared shared = share(array);
      if (shared.var.valid()) emit(span, AssignStmt{shared.var, shared.init});
      const ExprId value = type_expr(s.value);
      return store_where(copy(shared.value), *mask, type_binary(s.op, copy(shared.value), value, span, s.op_span), span,
                         true);
    }
    const IndexList list = type_index_list(array, target.index, target_span);
    const ExprId value = type_expr(s.value);
    if (!list.ok || unknown(value)) return;
    const ExprId view = select(array, list, target_span);
    return store_augmented(view, type_binary(s.op, copy(view), value, span, s.op_span), span);
  }
  const IndexList list = type_index_list(array, target.index, target_span);
  if (!list.ok) return;
  if (!list.all_indices) {
    unsupported(target_span, "assigning to a slice", "assign element by element in a loop");
    return;
  }
  if (!require_writable(array, target_span)) return;
  std::vector<ExprId> load_indices, store_indices;
  for (const AxisSelection& a : list.axes) {
    const Shared index = share(a.index);
    if (index.var.valid()) emit(span_of(a.index), AssignStmt{index.var, index.init});
    load_indices.push_back(index.value);
    store_indices.push_back(copy(index.value));
  }
  const Shared base = share(array);
  if (base.var.valid()) emit(target_span, AssignStmt{base.var, base.init});
  const DType dtype = array_of(array)->dtype;
  const ExprId old = add(target_span, ctx_.types.scalar(dtype), ElementExpr{base.value, std::move(load_indices)});
  const ExprId value = type_expr(s.value);
  const ExprId result = type_binary(s.op, old, value, span, s.op_span);
  if (unknown(result)) return;
  emit(span, StoreStmt{copy(base.value), std::move(store_indices), to_dtype(result, dtype)});
}

/// What an augmented assignment stores must be of the target's kind: NumPy refuses i4_array /= 2 likewise.
bool FunctionTyper::fits_augmented(ExprId target, ExprId result, Span span) {
  const DType from = element_dtype(result), to = element_dtype(target);
  if (types::kind_rank(from) > types::kind_rank(to)) {
    report(DiagId::kAugmentedKind, span, name(from), type_text(target))
        .help(fmt::format("assign the cast result: a[...] = (…).astype({}), or make an array of {}", name(to),
                          name(from)));
    return false;
  }
  return true;
}

void FunctionTyper::store_augmented(ExprId target, ExprId result, Span span) {
  if (unknown(target) || unknown(result) || !fits_augmented(target, result, span)) return;
  store_view(target, result, span);
}

}  // namespace jitc::sema
