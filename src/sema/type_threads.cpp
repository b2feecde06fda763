// Threads that work together: barriers, fences, the lanes of a warp; and the bits of an int.
#include <fmt/format.h>

#include "src/sema/function_typer.hpp"

namespace jitc::sema {

using source::DiagId;
using types::Strength;

/// Built-ins of scalars whose arguments are typed and whose count is right.
std::optional<ExprId> FunctionTyper::thread_builtin(const BuiltinEntity& b, const std::vector<ExprId>& args,
                                                    const std::string& callee, Span span) {
  switch (b.builtin->rule) {
    case Rule::kBarrier: return call_barrier(b.builtin->as<BarrierOp>(), args, callee, span);
    case Rule::kFence: return add(span, ctx_.types.none(), FenceExpr{b.builtin->as<FenceScope>()});
    case Rule::kThisGrid: return add(span, ctx_.types.grid_group(), TupleExpr{{}});
    case Rule::kSyncWarp: return call_syncwarp(args, callee, span);
    case Rule::kShuffle: return call_shuffle(b.builtin->as<WarpOp>(), args, callee, span);
    case Rule::kVote: return call_vote(b.builtin->as<WarpOp>(), args, callee, span);
    case Rule::kMatch: return call_match(b.builtin->as<WarpOp>(), args, callee, span);
    case Rule::kActiveMask: return add(span, ctx_.types.scalar(DType::u4), WarpExpr{WarpOp::kActive, {}, {}, {}});
    case Rule::kLaneMask: return call_lanemask_lt(span);
    case Rule::kBits: return call_bits(b.builtin->as<UnaryOp>(), args[0], callee, span);
    case Rule::kNanosleep:
      // The time is evaluated; how long a thread sleeps is not part of what a kernel computes.
      if (!require_int(args[0], callee, false)) return poison(span);
      return add(span, ctx_.types.none(), TupleExpr{{args[0]}});
    default: return std::nullopt;
  }
}

/// True for an int (or a bool where `or_bool`); reports anything else.
bool FunctionTyper::require_int(ExprId id, const std::string& callee, bool or_bool) {
  const DType dtype = scalar_of(id)->dtype;
  if (is_int(dtype) || (or_bool && dtype == DType::b1)) return true;
  auto handle = report(DiagId::kNeedsInt, span_of(id), callee, type_text(id));
  if (is_float(dtype) && or_bool) {
    handle.help("compare it: x != 0");
  } else {
    handle.help("convert it: int(…)").fixit(span_of(id), fmt::format("int({})", ctx_.file.text(span_of(id))));
  }
  return false;
}

ExprId FunctionTyper::call_barrier(BarrierOp op, const std::vector<ExprId>& args, const std::string& callee,
                                   Span span) {
  if (args.empty()) return add(span, ctx_.types.none(), BarrierExpr{op, {}});
  if (!require_int(args[0], callee, true)) return poison(span);
  return add(span, ctx_.types.scalar(DType::i4), BarrierExpr{op, to_bool(args[0])});
}

/// A mask of lanes is the low 32 bits: 0xFFFFFFFF and -1 are all of them.
ExprId FunctionTyper::lane_mask(ExprId mask, const std::string& callee) {
  if (!require_int(mask, callee, false)) return poison(span_of(mask));
  const auto c = constant_of(mask);
  if (c && (c->as_int() < -(Int128{1} << 31) || c->as_int() >= Int128{1} << 32)) {
    report(DiagId::kConstantDoesNotFit, span_of(mask), to_string(*c), "a lane mask")
        .help("a mask has one bit for each of the 32 lanes: 0xFFFFFFFF is all of them");
    return poison(span_of(mask));
  }
  return to_dtype(mask, DType::u4);
}

ExprId FunctionTyper::call_syncwarp(const std::vector<ExprId>& args, const std::string& callee, Span span) {
  const Scalar u4{DType::u4, Strength::kTyped};
  const ExprId mask = args.empty() ? constant(span, u4, Constant::of_int(0xffffffff)) : lane_mask(args[0], callee);
  if (unknown(mask)) return poison(span);
  return add(span, ctx_.types.none(), WarpExpr{WarpOp::kSync, mask, {}, {}});
}

/// What shuffles and matches exchange: 32 and 64 bits; a weak value is i8 or f8.
ExprId FunctionTyper::lane_value(ExprId value, const std::string& callee) {
  const Scalar s = *scalar_of(value);
  if (size_bytes(s.dtype) >= 4) return to_dtype(value, s.dtype);
  report(DiagId::kLaneValue, span_of(value), callee, type_text(value))
      .help("convert it: i4(…)")
      .fixit(span_of(value), fmt::format("i4({})", ctx_.file.text(span_of(value))));
  return poison(span_of(value));
}

ExprId FunctionTyper::call_shuffle(WarpOp op, const std::vector<ExprId>& args, const std::string& callee, Span span) {
  // A half travels as the float that it is exactly.
  const DType dtype = scalar_of(args[1])->dtype;
  const ExprId whole = is_half(dtype) ? to_dtype(args[1], DType::f4) : args[1];
  const ExprId mask = lane_mask(args[0], callee), value = lane_value(whole, callee);
  if (unknown(mask) || unknown(value) || !require_int(args[2], callee, false)) return poison(span);
  const ExprId out = add(span, type_of(value), WarpExpr{op, mask, value, to_dtype(args[2], DType::i4)});
  return is_half(dtype) ? to_dtype(out, dtype) : out;
}

/// all_sync, any_sync, eq_sync: b1; ballot_sync: i4, bit per lane.
ExprId FunctionTyper::call_vote(WarpOp op, const std::vector<ExprId>& args, const std::string& callee, Span span) {
  const ExprId mask = lane_mask(args[0], callee);
  if (unknown(mask) || !require_int(args[1], callee, true)) return poison(span);
  const bool ballot = op == WarpOp::kBallot;
  const TypeId result = ctx_.types.scalar(ballot ? DType::u4 : DType::b1);
  const ExprId out = add(span, result, WarpExpr{op, mask, to_bool(args[1]), {}});
  return ballot ? to_dtype(out, DType::i4) : out;
}

/// match_any_sync: the lanes with my value as i4; match_all_sync: (the lanes or 0, whether all agree).
ExprId FunctionTyper::call_match(WarpOp op, const std::vector<ExprId>& args, const std::string& callee, Span span) {
  const ExprId mask = lane_mask(args[0], callee), value = lane_value(args[1], callee);
  if (unknown(mask) || unknown(value)) return poison(span);
  const ExprId lanes = add(span, ctx_.types.scalar(DType::u4), WarpExpr{op, mask, value, {}});
  if (op == WarpOp::kMatchAny) return to_dtype(lanes, DType::i4);
  const Shared shared = share(lanes);
  const TypeId i4 = ctx_.types.scalar(DType::i4), b1 = ctx_.types.scalar(DType::b1);
  const ExprId none = constant(span, {DType::u4, Strength::kTyped}, Constant::of_int(0));
  const ExprId agree = add(span, b1, CompareExpr{CompareOp::kNe, copy(shared.value), none});
  const ExprId mask_i4 = to_dtype(copy(shared.value), DType::i4);
  return wrap(shared, add(span, ctx_.types.tuple({i4, b1}), TupleExpr{{mask_i4, agree}}));
}

/// (1 << lane) - 1: the lanes before mine.
ExprId FunctionTyper::call_lanemask_lt(Span span) {
  const auto number = [&](Int128 v) { return constant(span, {DType::u4, Strength::kTyped}, Constant::of_int(v)); };
  const ExprId lane = to_dtype(thread_value(ThreadValue::kLaneId, 0, span), DType::u4);
  return binary(BinaryOp::kSub, binary(BinaryOp::kShl, number(1), lane, span), number(1), span);
}

/// popc, brev, clz keep the operand's type; ffs is u4.
ExprId FunctionTyper::call_bits(UnaryOp op, ExprId arg, const std::string& callee, Span span) {
  if (!require_int(arg, callee, false)) return poison(span);
  const Scalar s = *scalar_of(arg);
  const TypeId type = ctx_.types.scalar(s.dtype, s.weak() ? Strength::kWeakRuntime : Strength::kTyped);
  const ExprId out = add(span, type, UnaryExpr{op, convert(arg, type)});
  return op == UnaryOp::kFindFirstSet ? to_dtype(out, DType::u4) : out;
}

/// g.sync() of a grid.
ExprId FunctionTyper::grid_method(const syntax::AttributeExpr& method, const syntax::CallExpr& e, Span span) {
  if (method.name != "sync") {
    report(DiagId::kNoAttribute, method.name_span, "the grid", method.name).help("it has .sync()");
    return poison(span);
  }
  if (!e.args.empty() || !e.keywords.empty()) {
    report(DiagId::kArgumentCount, span, "sync", "no arguments", e.args.size() + e.keywords.size());
    return poison(span);
  }
  return add(span, ctx_.types.none(), BarrierExpr{BarrierOp::kGrid, {}});
}

}  // namespace jitc::sema
