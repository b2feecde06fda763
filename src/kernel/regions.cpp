#include "src/kernel/regions.hpp"

#include <algorithm>

#include "src/base/check.hpp"
#include "src/kernel/operands.hpp"
#include "src/kernel/uniformity.hpp"

namespace jitc::kernel {

namespace {

Group own_level(const Stmt& stmt) {
  if (const auto* barrier = std::get_if<Barrier>(&stmt.kind)) {
    return barrier->op == BarrierOp::kGrid ? Group::kGrid : Group::kBlock;
  }
  return std::holds_alternative<Warp>(stmt.kind) ? Group::kWarp : Group::kThread;
}

/// By statement: the highest level of a meeting in it.
std::vector<Group> levels_of(const KernelProgram& program) {
  std::vector<Group> levels(program.stmts.size(), Group::kThread);
  const auto visit = [&](const auto& self, const Block& block) -> Group {
    Group highest = Group::kThread;
    for (const StmtId id : block) {
      Group& level = levels[id.index];
      level = own_level(program.stmts[id]);
      for_each_block(program.stmts[id], [&](const Block& inner) { level = std::max(level, self(self, inner)); });
      highest = std::max(highest, level);
    }
    return highest;
  };
  visit(visit, program.body);
  return levels;
}

Group below(Group level) { return static_cast<Group>(static_cast<uint8_t>(level) - 1); }

/// One attempt at the tree, for given sets of locals that are stored once. Whatever turns out not to fit (a local that
/// some thread region assigns, a jump that only some threads take) is noted, and the planner tries again.
class TreeBuilder {
 public:
  TreeBuilder(const KernelProgram& program, const std::vector<Group>& levels, const Liveness& liveness,
              const std::vector<bool>& stored_once, Group top, bool masks)
      : program_(program),
        levels_(levels),
        liveness_(liveness),
        stored_once_(stored_once),
        top_(top),
        masks_(masks),
        label_levels_(program.labels.size(), Group::kThread),
        demoted_(program.locals.size()) {}

  RegionNodes build() { return build(program_.body, top_); }
  /// Locals that cannot be stored once.
  const LocalSet& demoted() const { return demoted_; }
  bool needs_masks() const { return needs_masks_; }

 private:
  const Stmt& stmt(StmtId id) const { return program_.stmts[id]; }
  bool uniform(ExprId id) const { return is_uniform(program_, id, stored_once_, top_); }

  RegionNodes build(const Block& block, Group level) {
    RegionNodes out;
    Block segment;
    for (const StmtId id : block) {
      const bool group = levels_[id.index] == level || (levels_[id.index] == Group::kThread && leaves_group(id, level));
      if (!group) {
        segment.push_back(id);
        continue;
      }
      flush(segment, level, out);
      build_group(id, level, out);
    }
    flush(segment, level, out);
    return out;
  }

  /// Without masks: does the statement hold a jump out of a group's construct, which then all threads take together?
  bool leaves_group(StmtId id, Group level) {
    if (masks_ || !holds_group_jump(id)) return false;
    const bool one_for_all = base::match(
        stmt(id).kind, [&](const If& s) { return uniform(s.cond); }, [&](const Loop& s) { return uniform(s.cond); },
        [](const Scope&) { return true; }, [&](const Exit& s) { return label_levels_[s.label.index] == level; },
        [&](const Continue& s) { return label_levels_[s.label.index] == level; },
        [&](const Return&) { return level == top_; }, [](const auto&) { return false; });
    if (!one_for_all) needs_masks_ = true;
    return one_for_all;
  }

  bool holds_group_jump(StmtId id) const {
    bool found = base::match(
        stmt(id).kind, [&](const Exit& s) { return label_levels_[s.label.index] != Group::kThread; },
        [&](const Continue& s) { return label_levels_[s.label.index] != Group::kThread; },
        [](const Return&) { return true; }, [](const Fail&) { return true; }, [](const auto&) { return false; });
    for_each_block(stmt(id), [&](const Block& block) {
      for (const StmtId inner : block) found = found || holds_group_jump(inner);
    });
    return found;
  }

  void build_group(StmtId id, Group level, RegionNodes& out) {
    base::match(
        stmt(id).kind,
        [&](const If& s) {
          GroupIf node{id, uniform(s.cond), {}, {}};
          if (!node.uniform) needs_masks_ = true;
          node.then_nodes = build(s.then_block, level);
          node.else_nodes = build(s.else_block, level);
          out.push_back({std::move(node)});
        },
        [&](const Loop& s) {
          label_levels_[s.label.index] = level;
          GroupLoop node{id, uniform(s.cond), {}, {}, {}};
          if (!node.uniform) needs_masks_ = true;
          node.head = build(s.head, level);
          node.body = build(s.body, level);
          node.step = build(s.step, level);
          out.push_back({std::move(node)});
        },
        [&](const Scope& s) {
          label_levels_[s.label.index] = level;
          out.push_back({GroupScope{id, build(s.body, level)}});
        },
        [&](const Exit&) { out.push_back({GroupJump{id}}); }, [&](const Continue&) { out.push_back({GroupJump{id}}); },
        [&](const Return&) { out.push_back({GroupJump{id}}); }, [&](const auto&) { out.push_back({Meeting{id}}); });
  }

  /// Statements between two meetings of the level.
  void flush(Block& segment, Group level, RegionNodes& out) {
    if (segment.empty()) return;
    Group highest = Group::kThread;
    for (const StmtId id : segment) highest = std::max(highest, levels_[id.index]);
    if (highest == Group::kThread) {
      flush_threads(segment, out);
    } else {
      demote_what_groups_share(segment);
      out.push_back({EachGroup{below(level), build(segment, below(level))}});
    }
    segment.clear();
  }

  /// What is stored once goes first, where nothing before it in the segment reads the value it replaces: one loop over
  /// the threads is better than two.
  void flush_threads(const Block& segment, RegionNodes& out) {
    Block stmts;
    LocalSet read(program_.locals.size());
    for (const StmtId id : segment) {
      const auto* assign = std::get_if<Assign>(&stmt(id).kind);
      if (assign == nullptr || !stored_once_[assign->local.index]) {
        stmts.push_back(id);
        note_thread_stmt(id, read);
        continue;
      }
      if (read.contains(assign->local)) {
        out.push_back({ThreadRegion{std::move(stmts)}});
        stmts.clear();
        read = LocalSet(program_.locals.size());
      }
      out.push_back({GroupAssign{id}});
    }
    if (!stmts.empty()) out.push_back({ThreadRegion{std::move(stmts)}});
  }

  /// Reads of the statement and all inside it. A local that it assigns belongs to the thread; a jump that it takes out
  /// of a group's construct is the thread's alone.
  void note_thread_stmt(StmtId id, LocalSet& read) {
    for_each_operand(stmt(id), [&](ExprId operand) { add_reads(program_, operand, read); });
    const LocalId assigned = assigned_local(stmt(id));
    if (assigned.valid() && stored_once_[assigned.index]) demoted_.insert(assigned);
    if (!masks_ && holds_group_jump(id)) needs_masks_ = true;
    for_each_block(stmt(id), [&](const Block& block) {
      for (const StmtId inner : block) note_thread_stmt(inner, read);
    });
  }

  /// The segment runs once per warp or block: a local that it assigns and that brings a value along would be changed by
  /// each of them.
  void demote_what_groups_share(const Block& segment) {
    const LocalSet& live = liveness_.before[segment.front().index];
    const auto visit = [&](const auto& self, const Block& block) -> void {
      for (const StmtId id : block) {
        const LocalId assigned = assigned_local(stmt(id));
        if (assigned.valid() && stored_once_[assigned.index] && live.contains(assigned)) demoted_.insert(assigned);
        for_each_block(stmt(id), [&](const Block& inner) { self(self, inner); });
      }
    };
    visit(visit, segment);
  }

  const KernelProgram& program_;
  const std::vector<Group>& levels_;
  const Liveness& liveness_;
  const std::vector<bool>& stored_once_;
  const Group top_;
  const bool masks_;
  std::vector<Group> label_levels_;  ///< kThread: not a group's construct (so far)
  LocalSet demoted_;
  bool needs_masks_ = false;
};

/// By local: the value of its one Assign, where that reads nothing that changes and is cheap to have again.
std::vector<ExprId> recomputable_locals(const KernelProgram& program, const RegionPlan& plan) {
  std::vector<int> assignments(program.locals.size(), 0);
  for (const Stmt& stmt : program.stmts) {
    if (const LocalId local = assigned_local(stmt); local.valid()) ++assignments[local.index];
  }
  std::vector<ExprId> values(program.locals.size());
  const auto is_fixed = [&](const auto& self, ExprId id, int& budget) -> bool {
    if (--budget < 0) return false;
    const Expr& expr = program.exprs[id];
    bool fixed = base::match(
        expr.kind, [&](const LocalRef& e) { return values[e.local.index].valid(); },  //
        [](const Load&) { return false; }, [](const MathCall&) { return false; },
        [](const MemoryBase&) { return true; }, [](const auto&) { return true; });
    for_each_operand(expr, [&](ExprId operand) { fixed = fixed && self(self, operand, budget); });
    return fixed;
  };
  for (const Stmt& stmt : program.stmts) {
    const auto* assign = std::get_if<Assign>(&stmt.kind);
    if (assign == nullptr || assignments[assign->local.index] != 1 || plan.live_at_start.contains(assign->local)) {
      continue;
    }
    constexpr int kCheapNodes = 16;
    int budget = kCheapNodes;
    if (is_fixed(is_fixed, assign->value, budget)) values[assign->local.index] = assign->value;
  }
  return values;
}

/// The locals that are live where a loop over threads begins: those cross from one region to another.
class CrossingLocals {
 public:
  CrossingLocals(const KernelProgram& program, const RegionPlan& plan)
      : plan_(plan), crossing_(program.locals.size()) {}

  LocalSet find() {
    visit(plan_.body);
    return crossing_;
  }

 private:
  void live_at(StmtId id) { crossing_.insert_all(plan_.liveness.before[id.index]); }

  void visit(const RegionNodes& nodes) {
    for (const RegionNode& node : nodes) {
      base::match(
          node.kind, [&](const ThreadRegion& n) { live_at(n.stmts.front()); },
          [&](const EachGroup& n) { visit(n.body); }, [](const GroupAssign&) {},
          [&](const GroupIf& n) {
            live_at(n.stmt);
            visit(n.then_nodes);
            visit(n.else_nodes);
          },
          [&](const GroupLoop& n) {
            live_at(n.stmt);
            crossing_.insert_all(plan_.liveness.before_test[n.stmt.index]);
            visit(n.head);
            visit(n.body);
            visit(n.step);
          },
          [&](const GroupScope& n) { visit(n.body); }, [&](const Meeting& n) { live_at(n.stmt); },
          [](const GroupJump&) {});
    }
  }

  const RegionPlan& plan_;
  LocalSet crossing_;
};

}  // namespace

bool is_cooperative(const KernelProgram& program) {
  return std::any_of(program.stmts.begin(), program.stmts.end(),
                     [](const Stmt& stmt) { return own_level(stmt) == Group::kGrid; });
}

uint64_t plan_size_bytes(const KernelProgram& program) {
  return uint64_t{program.stmts.size()} * (program.locals.size() / 8 + sizeof(LocalSet));
}

size_t meeting_count(const KernelProgram& program) {
  return static_cast<size_t>(std::count_if(program.stmts.begin(), program.stmts.end(),
                                           [](const Stmt& stmt) { return own_level(stmt) != Group::kThread; }));
}

RegionPlan plan_regions(const KernelProgram& program) {
  RegionPlan plan;
  if (!has_meetings(program)) return plan;
  const std::vector<Group> levels = levels_of(program);
  plan.level = Group::kBlock;
  for (const Stmt& stmt : program.stmts) plan.level = std::max(plan.level, own_level(stmt));
  plan.liveness = find_liveness(program);
  plan.stored_once.assign(program.locals.size(), true);
  for (;;) {
    drop_varying(program, plan.level, plan.stored_once);
    TreeBuilder builder(program, levels, plan.liveness, plan.stored_once, plan.level, plan.masks);
    plan.body = builder.build();
    bool done = true;
    for (size_t i = 0; i < plan.stored_once.size(); ++i) {
      if (!plan.stored_once[i] || !builder.demoted().contains(LocalId(static_cast<uint32_t>(i)))) continue;
      plan.stored_once[i] = false;
      done = false;
    }
    if (builder.needs_masks() && !plan.masks) {
      plan.masks = true;
      done = false;
    }
    if (done) break;
  }
  plan.live_at_start = plan.liveness.before[program.body.front().index];
  plan.recomputed = recomputable_locals(program, plan);
  const LocalSet crossing = CrossingLocals(program, plan).find();
  for (size_t i = 0; i < program.locals.size(); ++i) {
    const bool elsewhere = plan.stored_once[i] || plan.recomputed[i].valid();
    plan.per_thread.push_back(!elsewhere && crossing.contains(LocalId(static_cast<uint32_t>(i))));
  }
  return plan;
}

}  // namespace jitc::kernel
