// Expressions. What needs control flow (short circuit, ternaries, calls) or a name (what is used twice) appends
// statements to the open block before the statement that uses it.
#include <algorithm>

#include "src/base/match.hpp"
#include "src/kernel/lowerer.hpp"
#include "src/sema/operands.hpp"

namespace jitc::kernel {

ArrayValue Lowerer::lower_array(sema::ExprId id) {
  Value v = lower(id);
  JITC_CHECK(v.array.has_value(), "an array is needed here");
  return std::move(*v.array);
}

/// Operands from left to right. An effect in a later one may change what an earlier one loads, so the earlier values
/// are fixed first.
std::vector<ExprId> Lowerer::lower_operands(const std::vector<sema::ExprId>& ids) {
  std::vector<ExprId> out;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (has_effect(ids[i])) {
      for (ExprId& earlier : out) earlier = pin(earlier);
    }
    out.push_back(lower_scalar(ids[i]));
  }
  return out;
}

namespace {

/// Kernels are made of scalar functions; what an array function does with whole arrays never arrives here.
[[noreturn]] Value whole_array() { JITC_CHECK(false, "an operation on whole arrays inside a kernel"); }

}  // namespace

Value Lowerer::lower(sema::ExprId id) {
  const sema::Expr& e = node(id);
  const source::Span outer = b_.span();
  b_.at(e.span);
  check_size();
  if (e.constant && types_.as_scalar(e.type)) {
    const DType dtype = dtype_of(e.type);
    const ExprId c = b_.constant_bits(dtype, sema::bits_of(sema::cast(*e.constant, dtype), dtype));
    b_.at(outer);
    return of_scalar(c);
  }
  Value out = base::match(
      e.kind, [&](const sema::ConstExpr&) -> Value { JITC_CHECK(false, "a constant without a value"); },
      [&](const sema::VarExpr& v) { return read(slot(v.var)); },
      [&](const sema::UnaryExpr& u) { return of_scalar(b_.unary(u.op, lower_scalar(u.operand))); },
      [&](const sema::BinaryExpr& x) {
        const auto v = lower_operands({x.lhs, x.rhs});
        return of_scalar(b_.binary(x.op, v[0], v[1]));
      },
      [&](const sema::CompareExpr& x) { return of_scalar(lower_compare(x)); },
      [&](const sema::LogicExpr& x) { return of_scalar(lower_logic(x)); },
      [&](const sema::LogicValueExpr& x) { return lower_logic_value(x, e.type); },
      [&](const sema::TernaryExpr& x) { return lower_ternary(x, e.type); },
      [&](const sema::SelectExpr& x) {
        const auto v = lower_operands({x.cond, x.then_value, x.else_value});
        return of_scalar(b_.select(v[0], v[1], v[2]));
      },
      [&](const sema::ConvertExpr& x) {
        Value v = lower(x.operand);
        if (v.scalar.valid()) v.scalar = b_.convert(dtype_of(e.type), v.scalar);
        return v;
      },
      [&](const sema::ComplexExpr& x) {
        Value v;
        v.is_tuple = true;
        for (const ExprId part : lower_operands({x.real, x.imag})) v.items.push_back(of_scalar(part));
        return v;
      },
      [&](const sema::PartExpr& x) { return lower(x.operand).items[x.imag ? 1 : 0]; },
      [&](const sema::FmaExpr& x) {
        if (x.addend_first) {
          const auto v = lower_operands({x.addend, x.lhs, x.rhs});
          return of_scalar(b_.fma(v[1], v[2], v[0]));
        }
        const auto v = lower_operands({x.lhs, x.rhs, x.addend});
        return of_scalar(b_.fma(v[0], v[1], v[2]));
      },
      [&](const sema::MathExpr& x) { return of_scalar(b_.math(x.fn, lower_operands(x.args))); },
      [&](const sema::ThreadExpr& t) { return of_scalar(b_.thread(t.value, t.axis)); },
      [&](const sema::TupleExpr& t) {
        Value v;
        v.is_tuple = true;
        for (sema::ExprId item : t.elements) {
          if (has_effect(item)) {
            for (Value& earlier : v.items) earlier = pin(earlier);
          }
          v.items.push_back(lower(item));
        }
        return v;
      },
      [&](const sema::TupleItemExpr& t) { return lower(t.tuple).items[t.index]; },
      [&](const sema::ElementExpr& x) {
        const ArrayValue array = lower_array_before(x.array, x.indices);
        note_access(array, false);
        return load(element(array, x.indices, e.span), array.dtype);
      },
      [&](const sema::ViewExpr& v) { return view(v, e.span); },
      [&](const sema::TransposeExpr& t) {
        ArrayValue a = lower_array(t.array);
        std::reverse(a.extents.begin(), a.extents.end());
        std::reverse(a.strides.begin(), a.strides.end());
        Value v;
        v.array = std::move(a);
        return v;
      },
      [&](const sema::PartViewExpr& x) {
        ArrayValue a = lower_array(x.array);
        a.dtype = part_type(a.dtype);
        if (x.imag) a.data = b_.address(imag_part(MemRef{a.data, {}}));
        Value v;
        v.array = std::move(a);
        return v;
      },
      [&](const sema::ExtentExpr& x) { return of_scalar(lower_array(x.array).extents[x.axis]); },
      [&](const sema::StrideExpr& x) { return of_scalar(lower_array(x.array).strides[x.axis]); },
      [&](const sema::SizeExpr& x) {
        const ArrayValue a = lower_array(x.array);
        ExprId size = a.extents[0];
        for (size_t i = 1; i < a.extents.size(); ++i) size = b_.binary(BinaryOp::kMul, size, a.extents[i]);
        return of_scalar(size);
      },
      [&](const sema::LetExpr& x) { return lower_let(x); },
      [&](const sema::CallExpr& x) { return inline_call(x, id.index, e.span); },
      [&](const sema::MemoryExpr& x) { return lower_memory(x, x.name); },
      [&](const sema::MapExpr&) { return whole_array(); }, [&](const sema::FillExpr&) { return whole_array(); },
      [&](const sema::IotaExpr&) { return whole_array(); }, [&](const sema::PermuteExpr&) { return whole_array(); },
      [&](const sema::BroadcastExpr&) { return whole_array(); },
      [&](const sema::ReshapeExpr&) { return whole_array(); }, [&](const sema::SqueezeExpr&) { return whole_array(); },
      [&](const sema::DiagonalExpr&) { return whole_array(); }, [&](const sema::JoinExpr&) { return whole_array(); },
      [&](const sema::CopyExpr&) { return whole_array(); }, [&](const sema::FoldExpr&) { return whole_array(); },
      [&](const sema::ContractExpr&) { return whole_array(); },
      [&](const sema::NonZeroExpr& x) { return of_scalar(lower_nonzero(x, e.span)); },
      [&](const sema::RandomExpr& x) { return lower_random(x, e.span); },
      [&](const sema::AtomicExpr& x) { return lower_atomic(x, e.type, e.span, true); },
      [&](const sema::BarrierExpr& x) { return lower_barrier(x, e.span, true); },
      [&](const sema::FenceExpr& x) {
        b_.fence(x.scope);
        return Value{};
      },
      [&](const sema::WarpExpr& x) { return lower_warp(x, e.type, true); },
      [&](const sema::PrintExpr& x) { return lower_print(x); });
  b_.at(outer);
  return out;
}

Value Lowerer::lower_let(const sema::LetExpr& e) {
  Value v = lower(e.value);
  write(slot(e.var), v);
  return lower(e.body);
}

/// i8 against u8 compares exactly: a negative int is below every u8.
ExprId Lowerer::lower_compare(const sema::CompareExpr& e) {
  const auto v = lower_operands({e.lhs, e.rhs});
  const DType a = b_.type_of(v[0]).dtype, b = b_.type_of(v[1]).dtype;
  if (a == b) return b_.compare(e.op, v[0], v[1]);
  const bool signed_left = is_signed_int(a);
  const ExprId signed_side = pin(signed_left ? v[0] : v[1]);
  const ExprId unsigned_side = signed_left ? v[1] : v[0];
  const ExprId negative = b_.compare(CompareOp::kLt, signed_side, number(0));
  const ExprId as_u8 = b_.convert(DType::u8, signed_side);
  const ExprId exact = signed_left ? b_.compare(e.op, as_u8, unsigned_side) : b_.compare(e.op, unsigned_side, as_u8);
  const bool below = e.op == CompareOp::kNe || (signed_left ? e.op == CompareOp::kLt || e.op == CompareOp::kLe
                                                            : e.op == CompareOp::kGt || e.op == CompareOp::kGe);
  return b_.select(negative, b_.constant(DType::b1, below), exact);
}

bool Lowerer::has_effect(sema::ExprId id) {
  auto& memo = frame_->effects;
  if (memo.empty()) memo.assign(frame_->fn->exprs.size(), -1);
  if (memo[id.index] >= 0) return memo[id.index] == 1;
  bool found = sema::is_effect(node(id));
  if (!found) {
    sema::for_each_operand(node(id), [&](sema::ExprId operand) { found = found || has_effect(operand); });
  }
  memo[id.index] = found ? 1 : 0;
  return found;
}

bool Lowerer::has_effect(const std::vector<sema::ExprId>& ids) {
  return std::any_of(ids.begin(), ids.end(), [&](sema::ExprId id) { return has_effect(id); });
}

bool Lowerer::is_cheap(sema::ExprId id) {
  const sema::Expr& e = node(id);
  if (e.constant) return true;
  const bool own = base::match(
      e.kind, [](const sema::ConstExpr&) { return true; }, [](const sema::VarExpr&) { return true; },
      [](const sema::ThreadExpr&) { return true; }, [](const sema::UnaryExpr& u) { return u.op != UnaryOp::kSqrt; },
      [](const sema::BinaryExpr& b) {
        return b.op != BinaryOp::kDiv && b.op != BinaryOp::kFloorDiv && b.op != BinaryOp::kMod &&
               b.op != BinaryOp::kIntPow;
      },
      [](const sema::CompareExpr&) { return true; }, [](const sema::ConvertExpr&) { return true; },
      [](const sema::FmaExpr&) { return true; }, [](const sema::SelectExpr&) { return true; },
      [](const sema::ExtentExpr&) { return true; }, [](const sema::StrideExpr&) { return true; },
      [](const sema::SizeExpr&) { return true; }, [](const auto&) { return false; });
  if (!own) return false;
  bool cheap = true;
  sema::for_each_operand(e, [&](sema::ExprId operand) { cheap = cheap && is_cheap(operand); });
  return cheap;
}

ExprId Lowerer::lower_logic(const sema::LogicExpr& e) {
  const BinaryOp op = e.is_and ? BinaryOp::kAnd : BinaryOp::kOr;
  ExprId so_far = lower_scalar(e.operands[0]);
  for (size_t i = 1; i < e.operands.size(); ++i) {
    if (is_cheap(e.operands[i])) {
      so_far = b_.binary(op, so_far, lower_scalar(e.operands[i]));
      continue;
    }
    // result = so_far; if result (and) / if not result (or): result = operand
    const LocalId result = b_.add_local(e.is_and ? "and" : "or", scalar(DType::b1));
    b_.assign(result, so_far);
    const ExprId go_on = e.is_and ? b_.local(result) : b_.unary(UnaryOp::kNot, b_.local(result));
    b_.if_then(go_on, [&] { b_.assign(result, lower_scalar(e.operands[i])); });
    so_far = b_.local(result);
  }
  return so_far;
}

Value Lowerer::lower_logic_value(const sema::LogicValueExpr& e, types::TypeId type) {
  Slot result = make_slot(e.is_and ? "and" : "or", type);
  write(result, lower(e.lhs));
  const ExprId truth = truth_of(read(result));
  b_.if_then(e.is_and ? truth : b_.unary(UnaryOp::kNot, truth), [&] { write(result, lower(e.rhs)); });
  return read(result);
}

Value Lowerer::lower_ternary(const sema::TernaryExpr& e, types::TypeId type) {
  const types::Scalar* s = types_.as_scalar(type);
  if (s && !is_complex(s->dtype) && is_cheap(e.then_value) && is_cheap(e.else_value)) {
    const auto v = lower_operands({e.cond, e.then_value, e.else_value});
    return of_scalar(b_.select(v[0], v[1], v[2]));
  }
  Slot result = make_slot("ternary", type);
  const ExprId cond = lower_scalar(e.cond);
  b_.if_then_else(
      cond, [&] { write(result, lower(e.then_value)); }, [&] { write(result, lower(e.else_value)); });
  return read(result);
}

}  // namespace jitc::kernel
