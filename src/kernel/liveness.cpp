#include "src/kernel/liveness.hpp"

#include "src/kernel/operands.hpp"

namespace jitc::kernel {

namespace {

/// Backwards through the statement tree: what is live after a statement gives what is live before it.
class BackwardWalk {
 public:
  explicit BackwardWalk(const KernelProgram& program)
      : program_(program),
        none_(program.locals.size()),
        at_exit_(program.labels.size(), none_),
        at_continue_(at_exit_),
        at_head_(at_exit_) {
    out_.before.resize(program.stmts.size());
    out_.before_test.resize(program.stmts.size());
  }

  Liveness run() {
    walk(program_.body, none_);
    return std::move(out_);
  }

 private:
  LocalSet walk(const Block& block, LocalSet live) {
    for (size_t i = block.size(); i-- > 0;) {
      live = walk_stmt(block[i], std::move(live));
      out_.before[block[i].index] = live;
    }
    return live;
  }

  LocalSet walk_stmt(StmtId id, LocalSet live) {
    const Stmt& stmt = program_.stmts[id];
    return base::match(
        stmt.kind,
        [&](const If& s) {
          LocalSet before = walk(s.then_block, live);
          before.insert_all(walk(s.else_block, live));
          add_reads(program_, s.cond, before);
          return before;
        },
        [&](const Loop& s) { return walk_loop(id, s, live); },
        [&](const Scope& s) {
          at_exit_[s.label.index] = live;
          return walk(s.body, live);
        },
        [&](const Exit& s) { return at_exit_[s.label.index]; },
        [&](const Continue& s) { return at_continue_[s.label.index]; },  //
        [&](const Return&) { return none_; },
        [&](const Fail&) {
          LocalSet before = none_;
          add_operands(stmt, before);
          return before;
        },
        [&](const auto&) {
          if (const LocalId assigned = assigned_local(stmt); assigned.valid()) live.erase(assigned);
          add_operands(stmt, live);
          return live;
        });
  }

  /// Around the loop until nothing is added: head, test, body, step, and the head again.
  LocalSet walk_loop(StmtId id, const Loop& s, const LocalSet& after) {
    at_exit_[s.label.index] = after;
    // What an earlier round of an enclosing loop found still holds: nested loops take a round each, not powers of two.
    LocalSet& at_head = at_head_[s.label.index];
    for (;;) {
      LocalSet at_step = walk(s.step, at_head);
      at_continue_[s.label.index] = at_step;
      LocalSet at_test = walk(s.body, std::move(at_step));
      at_test.insert_all(after);
      add_reads(program_, s.cond, at_test);
      out_.before_test[id.index] = at_test;
      LocalSet next = walk(s.head, std::move(at_test));
      if (next == at_head) return next;
      at_head = std::move(next);
    }
  }

  void add_operands(const Stmt& stmt, LocalSet& live) {
    for_each_operand(stmt, [&](ExprId operand) { add_reads(program_, operand, live); });
  }

  const KernelProgram& program_;
  const LocalSet none_;
  std::vector<LocalSet> at_exit_, at_continue_;  ///< by label: live where its jumps go to
  std::vector<LocalSet> at_head_;                ///< by label: live where a loop begins a round
  Liveness out_;
};

}  // namespace

Liveness find_liveness(const KernelProgram& program) { return BackwardWalk(program).run(); }

void add_reads(const KernelProgram& program, ExprId root, LocalSet& out) {
  holds_for_all(program, root, [&](const Expr& expr) {
    if (const auto* ref = std::get_if<LocalRef>(&expr.kind)) out.insert(ref->local);
    return true;
  });
}

}  // namespace jitc::kernel
