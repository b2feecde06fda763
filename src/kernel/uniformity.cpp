#include "src/kernel/uniformity.hpp"

#include "src/kernel/operands.hpp"

namespace jitc::kernel {

namespace {

bool is_uniform_index(ThreadValue value, Group group) {
  switch (value) {
    case ThreadValue::kThreadIdx:
    case ThreadValue::kGlobalIdx:
    case ThreadValue::kLaneId: return false;
    case ThreadValue::kBlockIdx: return group != Group::kGrid;
    case ThreadValue::kBlockDim:
    case ThreadValue::kGridDim:
    case ThreadValue::kGlobalDim:
    case ThreadValue::kWarpSize:
    case ThreadValue::kDynamicSharedBytes: return true;
  }
  return false;
}

bool is_uniform_object(MemorySpace space, Group group) {
  return space == MemorySpace::kConst || (space == MemorySpace::kShared && group != Group::kGrid);
}

/// One pass over the statements with the uniformity known so far.
class VaryingPass {
 public:
  VaryingPass(const KernelProgram& program, Group group, std::vector<bool>& uniform, std::vector<bool>& torn)
      : program_(program), group_(group), uniform_(uniform), torn_(torn) {}

  /// True when something was found.
  bool run() {
    visit(program_.body, false);
    return changed_;
  }

 private:
  bool varies(ExprId id) const { return !is_uniform(program_, id, uniform_, group_); }

  void set_varying(LocalId local) {
    if (!local.valid() || !uniform_[local.index]) return;
    uniform_[local.index] = false;
    changed_ = true;
  }

  /// A jump that only some threads take: those inside the label's construct are no longer together.
  void tear(LabelId label) {
    if (torn_[label.index]) return;
    torn_[label.index] = true;
    changed_ = true;
  }

  /// `divergent`: relative to the outermost construct that some threads may be outside of.
  void visit(const Block& block, bool divergent) {
    for (const StmtId id : block) visit(program_.stmts[id], divergent);
  }

  void visit(const Stmt& stmt, bool divergent) {
    base::match(
        stmt.kind,
        [&](const Assign& s) {
          if (divergent || varies(s.value)) set_varying(s.local);
        },
        [&](const Barrier& s) {
          if (divergent || group_ == Group::kGrid) set_varying(s.result);
        },
        [&](const If& s) {
          const bool inside = divergent || varies(s.cond);
          visit(s.then_block, inside);
          visit(s.else_block, inside);
        },
        [&](const Loop& s) {
          const bool inside = divergent || torn_[s.label.index] || varies(s.cond);
          visit(s.head, inside);
          visit(s.body, inside);
          visit(s.step, inside);
        },
        [&](const Scope& s) { visit(s.body, divergent || torn_[s.label.index]); },
        [&](const Exit& s) {
          if (divergent) tear(s.label);
        },
        [&](const Continue& s) {
          if (divergent) tear(s.label);
        },
        [&](const auto&) { set_varying(assigned_local(stmt)); });
  }

  const KernelProgram& program_;
  const Group group_;
  std::vector<bool>& uniform_;
  std::vector<bool>& torn_;
  bool changed_ = false;
};

}  // namespace

bool is_uniform(const KernelProgram& program, ExprId root, const std::vector<bool>& uniform, Group group) {
  return holds_for_all(program, root, [&](const Expr& expr) {
    return base::match(
        expr.kind, [&](const LocalRef& e) { return bool{uniform[e.local.index]}; },
        [&](const ThreadIndex& e) { return is_uniform_index(e.value, group); },
        [&](const MemoryBase& e) { return is_uniform_object(program.memory[e.object].space, group); },
        [](const Load&) { return false; }, [](const auto&) { return true; });
  });
}

void drop_varying(const KernelProgram& program, Group group, std::vector<bool>& uniform) {
  std::vector<bool> torn(program.labels.size(), false);
  while (VaryingPass(program, group, uniform, torn).run()) {}
}

}  // namespace jitc::kernel
