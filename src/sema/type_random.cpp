// Random numbers drawn from the states that the host made.
#include <fmt/format.h>

#include "src/sema/function_typer.hpp"

namespace jitc::sema {

using source::DiagId;

namespace {

DType drawn_type(RandomOp op) {
  switch (op) {
    case RandomOp::kUniformF4:
    case RandomOp::kNormalF4: return DType::f4;
    case RandomOp::kUniformF8:
    case RandomOp::kNormalF8: return DType::f8;
    case RandomOp::kNext:
    case RandomOp::kJump: break;
  }
  return DType::u8;
}

}  // namespace

/// xoroshiro128p_uniform_float32(states, i): states are a u8 array of shape (n, 2), one row per generator.
ExprId FunctionTyper::call_random(const BuiltinEntity& b, const syntax::CallExpr& e, Span span) {
  const auto args = bind_parameters({"states", "index"}, 2, e, span);
  if (!args) return poison(span);
  const ExprId states = type_expr((*args)[0]), index = type_expr((*args)[1]);
  if (unknown(states) || unknown(index)) return poison(span);
  const types::ArrayType* type = array_of(states);
  if (type == nullptr || type->dtype != DType::u8 || type->rank != 2) {
    report(DiagId::kRandomStates, span_of(states), callee_text(e), type_text(states))
        .help(
            "the states are u8[:,:] of shape (n, 2): jitc::xoroshiro128p_states(n, seed), or the SPEC "
            "xoroshiro:u8[n,2]:seed=1");
    return poison(span);
  }
  if (!require_writable(states, span_of(states))) return poison(span);
  const Scalar* s = scalar_of(index);
  if (s == nullptr || !is_int(s->dtype)) {
    report(DiagId::kBadIndex, span_of(index), type_text(index)).help("the index says which generator: an int");
    return poison(span);
  }
  const auto op = b.builtin->as<RandomOp>();
  const ExprId at = to_dtype(index, is_unsigned_int(s->dtype) ? DType::u8 : DType::i8);
  const TypeId result = op == RandomOp::kJump ? ctx_.types.none() : ctx_.types.scalar(drawn_type(op));
  return add(span, result, RandomExpr{op, states, at});
}

}  // namespace jitc::sema
