// Elements, bounds checks and views.
#include <algorithm>

#include "src/base/match.hpp"
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

/// An array, fixed where the evaluation of `later` could change what it is made of.
ArrayValue Lowerer::lower_array_before(sema::ExprId array, const std::vector<sema::ExprId>& later) {
  Value v = lower(array);
  if (has_effect(later)) v = pin(v);
  return std::move(*v.array);
}

/// The address of one element: indices wrapped once from the end where they may be negative, checked where asked.
MemRef Lowerer::element(const ArrayValue& array, const std::vector<sema::ExprId>& indices, source::Span span) {
  return place(array, indices, lower_operands(indices), span);
}

MemRef Lowerer::place(const ArrayValue& array, const std::vector<sema::ExprId>& indices,
                      const std::vector<ExprId>& values, source::Span span) {
  MemRef out{array.data, {}};
  for (uint32_t axis = 0; axis < indices.size(); ++axis) {
    out.terms.push_back({place_index(array, axis, indices[axis], values[axis], span), array.strides[axis]});
  }
  return out;
}

ExprId Lowerer::place_index(const ArrayValue& array, uint32_t axis, sema::ExprId index, ExprId value,
                            source::Span span) {
  if (is_unsigned_int(b_.type_of(value).dtype)) {
    value = b_.convert(DType::i8, value);
    if (!checked()) return value;
    value = pin(value);
    check_bounds(array, axis, value, value, span);
    return value;
  }
  const bool may_be_negative = !bounds(*frame_->fn).never_negative(index);
  if (!may_be_negative && !checked()) return value;
  value = pin(value);
  ExprId wrapped = may_be_negative ? count_from_end(value, node(index).constant, array.extents[axis]) : value;
  if (!checked()) return wrapped;
  wrapped = pin(wrapped);
  check_bounds(array, axis, wrapped, value, span);
  return wrapped;
}

/// value + extent where value is negative; decided here for constants.
ExprId Lowerer::count_from_end(ExprId value, const std::optional<sema::Constant>& constant, ExprId extent) {
  if (constant && constant->as_int() >= 0) return value;
  const ExprId from_end = b_.binary(BinaryOp::kAdd, value, extent);
  if (constant) return from_end;
  return b_.select(b_.compare(CompareOp::kLt, value, number(0)), from_end, value);
}

/// One unsigned comparison covers both ends. `shown` is the index as written.
void Lowerer::check_bounds(const ArrayValue& array, uint32_t axis, ExprId index, ExprId shown, source::Span span) {
  const ExprId extent = array.extents[axis];
  const ExprId outside = b_.compare(CompareOp::kGe, b_.convert(DType::u8, index), b_.convert(DType::u8, extent));
  const uint32_t site = fail_site(FailKind::index, array.name, span, axis);
  b_.if_then(outside, [&] { b_.fail(site, {shown, extent}); });
}

void Lowerer::note_access(const ArrayValue& array, bool write) {
  if (b_.type_of(array.data).space != MemorySpace::kGlobal) return;
  auto& arguments = b_.program().arguments;
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    const bool may_be = array.argument
                            ? *array.argument == i
                            : arguments[i].is_array && part_type(arguments[i].dtype) == part_type(array.dtype);
    if (!may_be) continue;
    (write ? arguments[i].written : arguments[i].read) = true;
  }
}

/// a[i, lo:hi:step, …]: moves the pointer to the first element and keeps the sliced axes.
Value Lowerer::view(const sema::ViewExpr& e, source::Span span) {
  std::vector<sema::ExprId> parts;
  for (const sema::AxisSelection& a : e.axes) {
    for (sema::ExprId id : {a.index, a.lower, a.upper, a.step}) {
      if (id.valid()) parts.push_back(id);
    }
  }
  const bool effects = has_effect(parts);
  const ArrayValue array = lower_array_before(e.array, parts);
  ArrayValue out;
  out.name = array.name;
  out.dtype = array.dtype;
  out.argument = array.argument;
  MemRef first{array.data, {}};
  for (uint32_t axis = 0; axis < e.axes.size(); ++axis) {
    const sema::AxisSelection& a = e.axes[axis];
    if (!a.is_slice) {
      const ExprId index = place_index(array, axis, a.index, lower_scalar(a.index), span);
      first.terms.push_back({effects ? pin(index) : index, array.strides[axis]});
      continue;
    }
    if (!a.lower.valid() && !a.upper.valid() && !a.step.valid()) {
      out.extents.push_back(array.extents[axis]);
      out.strides.push_back(array.strides[axis]);
      continue;
    }
    const SliceParts s = slice(array, axis, a);
    first.terms.push_back({s.start, array.strides[axis]});
    out.extents.push_back(s.count);
    out.strides.push_back(a.step.valid() ? b_.binary(BinaryOp::kMul, array.strides[axis], s.step)
                                         : array.strides[axis]);
  }
  out.data = first.terms.empty() ? array.data : b_.address(std::move(first));
  Value v;
  v.array = std::move(out);
  return v;
}

/// A bound as Python clamps it: negative counts from the end, then into [low, high].
ExprId Lowerer::slice_bound(sema::ExprId bound, ExprId extent, ExprId fallback, ExprId low, ExprId high) {
  if (!bound.valid()) return fallback;
  const ExprId counted = count_from_end(pin(lower_scalar(bound)), node(bound).constant, extent);
  return pin(b_.binary(BinaryOp::kMax, b_.binary(BinaryOp::kMin, pin(counted), high), low));
}

/// Source of the rules: Python's slice.indices. Forward slices clamp to [0, n], backward ones to [-1, n - 1].
Lowerer::SliceParts Lowerer::slice(const ArrayValue& array, uint32_t axis, const sema::AxisSelection& s) {
  const ExprId n = array.extents[axis];
  const ExprId step = s.step.valid() ? pin(lower_scalar(s.step)) : number(1);
  const auto constant_step = s.step.valid() ? node(s.step).constant : std::optional(sema::Constant::of_int(1));
  const auto backward_if = [&](ExprId backward_value, ExprId forward_value) {
    if (constant_step) return constant_step->as_int() < 0 ? backward_value : forward_value;
    return pin(b_.select(b_.compare(CompareOp::kLt, step, number(0)), backward_value, forward_value));
  };
  const ExprId last = pin(b_.binary(BinaryOp::kSub, n, number(1)));
  const ExprId low = backward_if(number(-1), number(0)), high = backward_if(last, n);
  const ExprId start = slice_bound(s.lower, n, backward_if(last, number(0)), low, high);
  const ExprId stop = slice_bound(s.upper, n, backward_if(number(-1), n), low, high);
  const ExprId forward_span = pin(b_.binary(BinaryOp::kSub, stop, start));
  if (!s.step.valid()) return {start, pin(b_.binary(BinaryOp::kMax, forward_span, number(0))), step};
  const ExprId span = backward_if(b_.binary(BinaryOp::kSub, start, stop), forward_span);
  const ExprId size = constant_step
                          ? number(static_cast<int64_t>(constant_step->as_int() < 0 ? -constant_step->as_int()
                                                                                    : constant_step->as_int()))
                          : pin(b_.unary(UnaryOp::kAbs, step));
  // ceil(span / |step|), nothing for an empty span; a zero step gives 0 because x // 0 is 0.
  const ExprId rounded = b_.binary(BinaryOp::kAdd, span, b_.binary(BinaryOp::kSub, size, number(1)));
  const ExprId count = b_.binary(BinaryOp::kMax, b_.binary(BinaryOp::kFloorDiv, rounded, size), number(0));
  return {start, pin(count), step};
}

}  // namespace jitc::kernel
