// Atomic operations, barriers, fences, warp operations and print: statements of the kernel IR, appended where the
// source evaluates them, with a local for the result.
#include "src/base/match.hpp"
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

/// Array, indices, expected value, value: in the order of the arguments.
Value Lowerer::lower_atomic(const sema::AtomicExpr& e, types::TypeId type, source::Span span, bool wanted) {
  std::vector<sema::ExprId> args = e.indices;
  if (e.expected.valid()) args.push_back(e.expected);
  args.push_back(e.value);
  const ArrayValue array = lower_array_before(e.array, args);
  note_access(array, false);
  note_access(array, true);
  const std::vector<ExprId> values = lower_operands(args);
  MemRef ref = place(array, e.indices, values, span);
  const LocalId result = wanted ? b_.add_local("old", scalar(dtype_of(type))) : LocalId();
  const ExprId expected = e.expected.valid() ? values[e.indices.size()] : ExprId();
  b_.atomic(e.op, std::move(ref), values.back(), result, expected);
  return wanted ? of_scalar(b_.local(result)) : Value{};
}

Value Lowerer::lower_barrier(const sema::BarrierExpr& e, source::Span span, bool wanted) {
  const ExprId predicate = e.predicate.valid() ? lower_scalar(e.predicate) : ExprId();
  const bool has_result = wanted && predicate.valid();
  const LocalId result = has_result ? b_.add_local("votes", scalar(DType::i4)) : LocalId();
  const auto site =
      checked() ? std::optional(fail_site(FailKind::barrier, e.op == BarrierOp::kGrid ? "grid" : "block", span, 0))
                : std::nullopt;
  b_.barrier(e.op, predicate, result, site);
  return has_result ? of_scalar(b_.local(result)) : Value{};
}

Value Lowerer::lower_warp(const sema::WarpExpr& e, types::TypeId type, bool wanted) {
  std::vector<sema::ExprId> args;
  for (sema::ExprId id : {e.mask, e.value, e.lane}) {
    if (id.valid()) args.push_back(id);
  }
  const std::vector<ExprId> values = lower_operands(args);
  const auto operand = [&](size_t i) { return i < values.size() ? values[i] : ExprId(); };
  const bool has_result = wanted && types_.as_scalar(type) != nullptr;
  const LocalId result = has_result ? b_.add_local("lanes", scalar(dtype_of(type))) : LocalId();
  b_.warp(e.op, operand(0), operand(1), operand(2), result);
  return has_result ? of_scalar(b_.local(result)) : Value{};
}

/// Every value first, then the line.
Value Lowerer::lower_print(const sema::PrintExpr& e) {
  std::vector<Value> values;
  for (const sema::PrintItem& item : e.items) {
    if (!item.value.valid()) continue;
    if (has_effect(item.value)) {
      for (Value& earlier : values) earlier = pin(earlier);
    }
    values.push_back(lower(item.value));
  }
  std::vector<PrintPart> parts;
  size_t next = 0;
  for (const sema::PrintItem& item : e.items) {
    if (item.value.valid()) {
      print_value(values[next++], parts);
    } else {
      parts.push_back({item.text, {}});
    }
  }
  // Neighbouring texts become one.
  std::vector<PrintPart> merged;
  for (PrintPart& part : parts) {
    if (!part.value.valid() && !merged.empty() && !merged.back().value.valid()) {
      merged.back().text += part.text;
    } else if (part.value.valid() || !part.text.empty()) {
      merged.push_back(std::move(part));
    }
  }
  b_.print(std::move(merged));
  return {};
}

/// A tuple as Python writes it: (1, 2), (1,).
void Lowerer::print_value(const Value& value, std::vector<PrintPart>& parts) {
  if (!value.is_tuple) {
    parts.push_back({"", value.scalar});
    return;
  }
  parts.push_back({"(", {}});
  for (size_t i = 0; i < value.items.size(); ++i) {
    if (i != 0) parts.push_back({", ", {}});
    print_value(value.items[i], parts);
  }
  parts.push_back({value.items.size() == 1 ? ",)" : ")", {}});
}

ExprId Lowerer::lower_nonzero(const sema::NonZeroExpr& e, source::Span span) {
  const ExprId value = pin(lower_scalar(e.operand));
  const ExprId zero = b_.constant(b_.type_of(value).dtype, 0);
  const uint32_t site = fail_site(FailKind::zero_division, "", span, 0);
  b_.if_then(b_.compare(CompareOp::kEq, value, zero), [&] { b_.fail(site); });
  return value;
}

void Lowerer::lower_unused(sema::ExprId id) {
  const sema::Expr& e = node(id);
  b_.at(e.span);
  base::match(
      e.kind, [&](const sema::AtomicExpr& x) { lower_atomic(x, e.type, e.span, false); },
      [&](const sema::BarrierExpr& x) { lower_barrier(x, e.span, false); },
      [&](const sema::WarpExpr& x) { lower_warp(x, e.type, false); }, [&](const auto&) { lower(id); });
}

}  // namespace jitc::kernel
