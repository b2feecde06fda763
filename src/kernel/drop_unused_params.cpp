// Drops the parameters that no expression uses. Expressions that no statement reaches do not count as uses: they are
// dropped first.
#include "src/kernel/kernel.hpp"
#include "src/kernel/operands.hpp"

namespace jitc::kernel {

namespace {

/// For each expression: does a statement reach it? Operands come before their users, so one backward walk suffices.
std::vector<bool> reached_exprs(const KernelProgram& program) {
  std::vector<bool> reached(program.exprs.size());
  const auto mark = [&](ExprId id) { reached[id.index] = true; };
  for (const Stmt& stmt : program.stmts) for_each_operand(stmt, mark);
  for (size_t i = reached.size(); i-- > 0;) {
    if (reached[i]) for_each_operand(program.exprs[ExprId(static_cast<uint32_t>(i))], mark);
  }
  return reached;
}

void drop_unreached_exprs(KernelProgram& program) {
  const std::vector<bool> reached = reached_exprs(program);
  std::vector<ExprId> new_id(program.exprs.size());
  const auto renumber = [&](ExprId& id) { id = new_id[id.index]; };
  base::Store<Expr, ExprId> kept;
  for (size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    Expr expr = std::move(program.exprs[ExprId(static_cast<uint32_t>(i))]);
    for_each_operand(expr, renumber);
    new_id[i] = kept.add(std::move(expr));
  }
  program.exprs = std::move(kept);
  for (size_t i = 0; i < program.stmts.size(); ++i) {
    for_each_operand(program.stmts[StmtId(static_cast<uint32_t>(i))], renumber);
  }
}

}  // namespace

KernelProgram drop_unused_params(KernelProgram program) {
  drop_unreached_exprs(program);
  std::vector<bool> used(program.params.size());
  for (const Expr& expr : program.exprs) {
    if (const auto* ref = std::get_if<ParamRef>(&expr.kind)) used[ref->param] = true;
  }
  std::vector<uint32_t> new_index(program.params.size());
  std::vector<Param> kept;
  for (size_t i = 0; i < program.params.size(); ++i) {
    new_index[i] = static_cast<uint32_t>(kept.size());
    if (used[i]) kept.push_back(std::move(program.params[i]));
  }
  program.params = std::move(kept);
  for (size_t i = 0; i < program.exprs.size(); ++i) {
    auto& kind = program.exprs[ExprId(static_cast<uint32_t>(i))].kind;
    if (auto* ref = std::get_if<ParamRef>(&kind)) ref->param = new_index[ref->param];
  }
  return program;
}

}  // namespace jitc::kernel
