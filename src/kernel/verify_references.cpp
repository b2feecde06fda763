// Rules about ids: what they point at exists, operands come before their users, statements form one tree.
#include "src/kernel/operands.hpp"
#include "src/kernel/verify_rules.hpp"

namespace jitc::kernel {

namespace {

/// An operand is older than its user, so the expressions form a DAG and every walk over them ends.
void operands_come_first(RuleReport& report) {
  uint32_t index = 0;
  for (const Expr& expr : report.program().exprs) {
    report.at("expr", index);
    for_each_operand(expr, [&](ExprId operand) {
      report.require(operand.index < index, "operand {} is not an earlier expression", operand.index);
    });
    ++index;
  }
}

/// References to the tables of the program stay inside them, or the emitter would read past their ends.
void leaves_are_in_range(RuleReport& report) {
  const KernelProgram& p = report.program();
  uint32_t index = 0;
  for (const Expr& expr : p.exprs) {
    report.at("expr", index++);
    if (const auto* ref = std::get_if<ParamRef>(&expr.kind)) {
      report.require(ref->param < p.params.size(), "parameter {} does not exist", ref->param);
    } else if (const auto* ref = std::get_if<LocalRef>(&expr.kind)) {
      report.require(ref->local.index < p.locals.size(), "local {} does not exist", ref->local.index);
    } else if (const auto* ref = std::get_if<MemoryBase>(&expr.kind)) {
      report.require(ref->object < p.memory.size(), "memory object {} does not exist", ref->object);
    }
  }
}

void stmt_is_in_range(RuleReport& report, const Stmt& stmt) {
  const KernelProgram& p = report.program();
  const auto label = [&](LabelId id) {
    report.require(id.index < p.labels.size(), "label {} does not exist", id.index);
  };
  for_each_operand(
      stmt, [&](ExprId id) { report.require(id.index < p.exprs.size(), "expression {} does not exist", id.index); });
  if (const LocalId local = assigned_local(stmt); local.valid()) {
    report.require(local.index < p.locals.size(), "local {} does not exist", local.index);
  }
  const auto fail_site = [&](uint32_t site) {
    report.require(site < p.fail_sites.size(), "fail site {} does not exist", site);
  };
  base::match(
      stmt.kind, [&](const Loop& s) { label(s.label); }, [&](const Scope& s) { label(s.label); },
      [&](const Exit& s) { label(s.label); }, [&](const Continue& s) { label(s.label); },
      [&](const Fail& s) { fail_site(s.site); },
      [&](const Barrier& s) {
        if (s.fail_site) fail_site(*s.fail_site);
      },
      [](const auto&) {});
}

/// Each statement has exactly one place: two places would make edits of one change the other, none means that a
/// lowering forgot it, a cycle would never end.
void stmts_form_a_tree(RuleReport& report) {
  const KernelProgram& p = report.program();
  std::vector<uint32_t> uses(p.stmts.size());
  std::vector<StmtId> pending;
  const auto use = [&](const Block& block) {
    for (StmtId id : block) {
      report.require(id.index < uses.size(), "statement {} does not exist", id.index);
      if (id.index < uses.size() && ++uses[id.index] == 1) pending.push_back(id);
    }
  };
  report.at("body", 0);
  use(p.body);
  while (!pending.empty()) {
    const StmtId id = pending.back();
    pending.pop_back();
    report.at("stmt", id.index);
    for_each_block(p.stmts[id], use);
  }
  for (size_t i = 0; i < uses.size(); ++i) {
    report.at("stmt", i);
    report.require(uses[i] == 1, "the statement is in {} places", uses[i]);
  }
}

}  // namespace

void verify_references(RuleReport& report) {
  operands_come_first(report);
  leaves_are_in_range(report);
  uint32_t index = 0;
  for (const Stmt& stmt : report.program().stmts) {
    report.at("stmt", index++);
    stmt_is_in_range(report, stmt);
  }
  stmts_form_a_tree(report);
}

}  // namespace jitc::kernel
