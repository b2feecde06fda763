// Expressions. Within one statement each node is emitted once; nodes have no control flow of their own.
#include "src/base/check.hpp"
#include "src/base/match.hpp"
#include "src/codegen/emit_arithmetic.hpp"
#include "src/codegen/emit_convert.hpp"
#include "src/codegen/emit_half.hpp"
#include "src/codegen/function_emitter.hpp"
#include "src/codegen/llvm_types.hpp"
#include "src/kernel/operands.hpp"
#include "src/kernel/ops.hpp"

namespace jitc::codegen {

using namespace kernel;

void FunctionEmitter::begin_statement() {
  for (const uint32_t id : memoised_) memo_[id] = nullptr;
  memoised_.clear();
}

/// Operands first, by an explicit stack: a program may nest deeper than a thread's stack.
llvm::Value* FunctionEmitter::value(ExprId root) {
  std::vector<ExprId> pending{root};
  while (!pending.empty()) {
    const ExprId id = pending.back();
    const size_t depth = pending.size();
    if (!memo_[id.index]) {
      for_each_operand(program_.exprs[id], [&](ExprId operand) {
        if (!memo_[operand.index]) pending.push_back(operand);
      });
      if (pending.size() > depth) continue;
      lines_.enter(builder_, program_.exprs[id].span);
      memo_[id.index] = emit_node(program_.exprs[id]);
      memoised_.push_back(id.index);
    }
    pending.pop_back();
  }
  return memo_[root.index];
}

llvm::Value* FunctionEmitter::emit_node(const Expr& expr) {
  return base::match(
      expr.kind,  //
      [&](const Const& node) { return emit_constant(expr.type, node.bits); },
      [&](const ParamRef& node) { return params_[node.param]; },
      [&](const LocalRef& node) -> llvm::Value* {
        llvm::AllocaInst* local = locals_[node.local.index];
        return builder_.CreateLoad(local->getAllocatedType(), local);
      },
      [&](const MemoryBase& node) { return hooks_.memory_base(*this, node.object); },
      [&](const ThreadIndex& node) { return thread_value(node.value, node.axis); },
      [&](const Unary& node) { return emit_unary(builder_, node.op, dtype(node.operand), operand(node.operand)); },
      [&](const Binary& node) {
        llvm::Value *lhs = operand(node.lhs), *rhs = operand(node.rhs);
        if (node.op == BinaryOp::kIntPow) return emit_int_pow(dtype(node.lhs), lhs, rhs);
        return emit_binary(builder_, node.op, dtype(node.lhs), lhs, rhs);
      },
      [&](const Compare& node) {
        return emit_compare(builder_, node.op, dtype(node.lhs), operand(node.lhs), operand(node.rhs));
      },
      [&](const Convert& node) {
        return emit_convert(builder_, dtype(node.operand), expr.type.dtype, operand(node.operand));
      },
      [&](const Select& node) {
        return builder_.CreateSelect(operand(node.cond), operand(node.then_value), operand(node.else_value));
      },
      [&](const Fma& node) { return emit_fma(node); }, [&](const MathCall& node) { return emit_math_call(node); },
      [&](const Load& node) { return emit_load(node.ref, expr.type.dtype); },
      [&](const Address& node) { return emit_address(node.ref); });
}

llvm::Value* FunctionEmitter::emit_constant(const Type& constant_type, uint64_t bits) {
  llvm::Type* llvm_type = type(constant_type);
  if (constant_type.is_pointer) return llvm::Constant::getNullValue(llvm_type);
  if (!llvm_type->isFloatingPointTy()) return llvm::ConstantInt::get(llvm_type, bits);
  const llvm::APInt pattern(size_bits(constant_type.dtype), bits);
  return llvm::ConstantFP::get(llvm_type, llvm::APFloat(llvm_type->getFltSemantics(), pattern));
}

llvm::Value* FunctionEmitter::emit_fma(const Fma& node) {
  llvm::Value* args[] = {operand(node.lhs), operand(node.rhs), operand(node.addend)};
  if (is_half(dtype(node.lhs))) return emit_half_fma(builder_, dtype(node.lhs), args);
  return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {args[0]->getType()}, args);
}

/// Wrapping powers of 64 bits wrap to those of fewer bits, so one function per signedness serves all widths.
///   %p = call i64 @jitc_ipow(i64 (sext %base), i64 (sext %exponent))
llvm::Value* FunctionEmitter::emit_int_pow(DType dtype, llvm::Value* base, llvm::Value* exponent) {
  const bool is_signed = is_signed_int(dtype);
  llvm::Type* wide = builder_.getInt64Ty();
  llvm::Value* args[] = {builder_.CreateIntCast(base, wide, is_signed),
                         builder_.CreateIntCast(exponent, wide, is_signed)};
  llvm::Value* power = call_math(is_signed ? "jitc_ipow" : "jitc_upow", wide, args);
  return builder_.CreateIntCast(power, base->getType(), is_signed);
}

///   %i = call i32 @jitc_mulhi_i4(i32 %x, i32 %y)
llvm::Value* FunctionEmitter::emit_typed_math_call(const MathCall& call) {
  std::vector<llvm::Value*> args;
  for (const ExprId arg : call.args) args.push_back(operand(arg));
  const DType result = result_type(call.fn, dtype(call.args.front()));
  return call_math(std::string("jitc_") + kernel::name(call.fn), register_type(context(), result), args);
}

///   %y = call float @jitc_exp_f4(float %x)
llvm::Value* FunctionEmitter::emit_math_call(const MathCall& call) {
  if (is_typed(call.fn)) return emit_typed_math_call(call);
  const DType first = dtype(call.args.front());
  // Functions of f2 and bf16 are those of f4, rounded once; the neighbour of a number is its own type's.
  const DType computed = is_half(first) && call.fn != MathFn::kNextafter ? DType::f4 : first;
  std::vector<llvm::Value*> args;
  for (const ExprId arg : call.args) {
    const bool is_real = is_float(dtype(arg));
    args.push_back(is_real ? emit_convert(builder_, first, computed, operand(arg)) : operand(arg));
  }
  const std::string symbol = std::string("jitc_") + kernel::name(call.fn) + "_" + std::string(jitc::name(computed));
  const DType result = result_type(call.fn, computed);
  llvm::Value* out = call_math(symbol, register_type(context(), result), args);
  return is_float(result) ? emit_convert(builder_, computed, first, out) : out;
}

llvm::Value* FunctionEmitter::call_math(const std::string& symbol, llvm::Type* result,
                                        llvm::ArrayRef<llvm::Value*> args) {
  std::vector<llvm::Type*> arg_types;
  for (llvm::Value* arg : args) arg_types.push_back(arg->getType());
  const auto callee = module_.getOrInsertFunction(symbol, llvm::FunctionType::get(result, arg_types, false));
  llvm::CallInst* call = builder_.CreateCall(callee, args);
  hooks_.mark_access(*call, MemorySpace::kConst);  // the inliner hands the mark to the function's own loads
  return call;
}

}  // namespace jitc::codegen
