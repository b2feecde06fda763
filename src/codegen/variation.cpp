#include "src/codegen/variation.hpp"

#include "src/kernel/operands.hpp"

namespace jitc::codegen {

using namespace kernel;

namespace {

Variation of_index(const ThreadIndex& index) {
  if (index.axis != 0) return Variation::kRow;
  switch (index.value) {
    case ThreadValue::kThreadIdx: return Variation::kThreadIdx;
    case ThreadValue::kGlobalIdx: return Variation::kGlobalIdx;
    case ThreadValue::kLaneId: return Variation::kOther;
    case ThreadValue::kBlockIdx:
    case ThreadValue::kBlockDim:
    case ThreadValue::kGridDim:
    case ThreadValue::kGlobalDim:
    case ThreadValue::kWarpSize:
    case ThreadValue::kDynamicSharedBytes: return Variation::kRow;
  }
  return Variation::kOther;
}

Variation of_expr(const KernelProgram& program, ExprId id, const std::vector<Variation>& locals, int& budget) {
  if (--budget < 0) return Variation::kOther;
  const Expr& expr = program.exprs[id];
  if (const auto* index = std::get_if<ThreadIndex>(&expr.kind)) return of_index(*index);
  if (const auto* local = std::get_if<LocalRef>(&expr.kind)) return locals[local->local.index];
  if (std::holds_alternative<Load>(expr.kind)) return Variation::kOther;
  // Each thread has its own.
  if (const auto* base = std::get_if<MemoryBase>(&expr.kind)) {
    return program.memory[base->object].space == MemorySpace::kLocal ? Variation::kOther : Variation::kRow;
  }
  Variation all = Variation::kRow;
  for_each_operand(expr, [&](ExprId operand) {
    if (all == Variation::kRow && of_expr(program, operand, locals, budget) != Variation::kRow) all = Variation::kOther;
  });
  return all;
}

}  // namespace

Variation variation_of(const KernelProgram& program, ExprId id, const std::vector<Variation>& locals) {
  int budget = 64;
  return of_expr(program, id, locals, budget);
}

std::vector<Variation> variation_of_locals(const KernelProgram& program) {
  std::vector<int> assignments(program.locals.size(), 0);
  for (const Stmt& stmt : program.stmts) {
    if (const LocalId local = assigned_local(stmt); local.valid()) ++assignments[local.index];
  }
  std::vector<Variation> variations(program.locals.size(), Variation::kOther);
  for (const Stmt& stmt : program.stmts) {
    const auto* assign = std::get_if<Assign>(&stmt.kind);
    if (!assign || assignments[assign->local.index] != 1) continue;
    variations[assign->local.index] = variation_of(program, assign->value, variations);
  }
  return variations;
}

}  // namespace jitc::codegen
