#include "src/sema/live_ranges.hpp"

#include <algorithm>
#include <map>

#include "src/base/match.hpp"

namespace jitc::sema {

namespace {

using namespace syntax;

constexpr uint32_t kUnassigned = UINT32_MAX;  // a pseudo definition: "no assignment yet"

/// Sorted definition numbers that may reach a point.
using DefSet = std::vector<uint32_t>;

void unite(DefSet& into, const DefSet& from) {
  DefSet out;
  out.reserve(into.size() + from.size());
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(out));
  into = std::move(out);
}

/// The definitions that reach a point, per local name. `live` is false where control cannot be.
struct Reaching {
  bool live = false;
  std::vector<DefSet> of;
};

void merge(Reaching& into, const Reaching& from) {
  if (!from.live) return;
  if (!into.live) {
    into = from;
    return;
  }
  for (size_t i = 0; i < into.of.size(); ++i) unite(into.of[i], from.of[i]);
}

}  // namespace

// Reaching definitions by one walk over the structured program. A loop's head sees what entered it plus what its own
// body generates; the latter is computed once per loop with an empty entry (gen/kill: it does not depend on the entry),
// so nested loops cost depth times size, not two to the depth.
class LiveRangeBuilder {
 public:
  LiveRangeBuilder(const Ast& ast, const FunctionDef& function) : ast_(ast), function_(function) {}

  LiveRanges build() {
    for (const Param& p : function_.params) local(p.name);
    collect_block(function_.body);
    Reaching entry{true, std::vector<DefSet>(out_.locals_.size(), DefSet{kUnassigned})};
    for (const Param& p : function_.params) {
      param_defs_.push_back(new_def(p.name, p.span));
      entry.of[local(p.name)] = {param_defs_.back()};
    }
    recording_ = true;
    walk_block(function_.body, entry);
    return finish();
  }

 private:
  struct Def {
    std::string name;
    Span span;
    uint32_t parent;  // union-find
  };
  struct LoopContext {
    Reaching breaks, continues;
  };

  // --- names assigned anywhere in the function ---

  uint32_t local(const std::string& name) {
    return out_.locals_.try_emplace(name, static_cast<uint32_t>(out_.locals_.size())).first->second;
  }

  void collect_target(ExprId target) {
    base::match(
        ast_.exprs[target].kind, [&](const NameExpr& n) { local(n.name); },
        [&](const TupleExpr& t) {
          for (ExprId e : t.elements) collect_target(e);
        },
        [&](const ListExpr& t) {
          for (ExprId e : t.elements) collect_target(e);
        },
        [](const auto&) {});
  }

  void collect_block(const Block& block) {
    for (StmtId id : block) {
      base::match(
          ast_.stmts[id].kind,
          [&](const AssignStmt& s) {
            for (ExprId t : s.targets) collect_target(t);
          },
          [&](const AnnAssignStmt& s) { collect_target(s.target); },
          [&](const AugAssignStmt& s) { collect_target(s.target); },
          [&](const IfStmt& s) { collect_block(s.body), collect_block(s.orelse); },
          [&](const WhileStmt& s) { collect_block(s.body), collect_block(s.orelse); },
          [&](const ForStmt& s) { collect_target(s.target), collect_block(s.body), collect_block(s.orelse); },
          [](const auto&) {});
    }
  }

  // --- definitions and uses ---

  uint32_t new_def(const std::string& name, Span span) {
    defs_.push_back({name, span, static_cast<uint32_t>(defs_.size())});
    return static_cast<uint32_t>(defs_.size() - 1);
  }

  uint32_t root(uint32_t def) {
    while (defs_[def].parent != def) def = defs_[def].parent = defs_[defs_[def].parent].parent;
    return def;
  }

  void define(ExprId target, Reaching& at) {
    base::match(
        ast_.exprs[target].kind,
        [&](const NameExpr& n) {
          const auto [it, is_new] = def_of_target_.try_emplace(target.index, 0);
          if (is_new) it->second = new_def(n.name, ast_.exprs[target].span);
          if (at.live) at.of[local(n.name)] = {it->second};
        },
        [&](const TupleExpr& t) {
          for (ExprId e : t.elements) define(e, at);
        },
        [&](const ListExpr& t) {
          for (ExprId e : t.elements) define(e, at);
        },
        [&](const auto&) { use_children(target, at); });
  }

  void use_name(ExprId id, const std::string& name, const Reaching& at) {
    const auto it = out_.locals_.find(name);
    if (it == out_.locals_.end() || !recording_ || !at.live) return;
    DefSet& seen = use_defs_[id.index];
    unite(seen, at.of[it->second]);
  }

  void use(ExprId id, const Reaching& at) {
    if (!id.valid()) return;
    if (const auto* n = std::get_if<NameExpr>(&ast_.exprs[id].kind)) return use_name(id, n->name, at);
    use_children(id, at);
  }

  void use_all(const std::vector<ExprId>& ids, const Reaching& at) {
    for (ExprId id : ids) use(id, at);
  }

  void use_children(ExprId id, const Reaching& at) {
    base::match(
        ast_.exprs[id].kind, [&](const UnaryExpr& e) { use(e.operand, at); },
        [&](const BinaryExpr& e) { use(e.lhs, at), use(e.rhs, at); },
        [&](const CompareExpr& e) { use(e.first, at), use_all(e.rest, at); },
        [&](const BoolExpr& e) { use_all(e.operands, at); },
        [&](const TernaryExpr& e) { use(e.cond, at), use(e.then_value, at), use(e.else_value, at); },
        [&](const CallExpr& e) {
          use(e.callee, at), use_all(e.args, at);
          for (const KeywordArg& k : e.keywords) use(k.value, at);
        },
        [&](const AttributeExpr& e) { use(e.base, at); },
        [&](const SubscriptExpr& e) { use(e.base, at), use(e.index, at); },
        [&](const SliceExpr& e) { use(e.lower, at), use(e.upper, at), use(e.step, at); },
        [&](const TupleExpr& e) { use_all(e.elements, at); }, [&](const ListExpr& e) { use_all(e.elements, at); },
        [](const auto&) {});
  }

  // --- statements ---

  void walk_block(const Block& block, Reaching& at) {
    for (StmtId id : block) walk(id, at);
  }

  void walk(StmtId id, Reaching& at) {
    base::match(
        ast_.stmts[id].kind, [&](const ExprStmt& s) { use(s.value, at); },
        [&](const AssignStmt& s) {
          use(s.value, at);
          for (ExprId t : s.targets) define(t, at);
        },
        [&](const AnnAssignStmt& s) {
          use(s.value, at);
          if (s.value.valid()) define(s.target, at);
        },
        [&](const AugAssignStmt& s) { use(s.target, at), use(s.value, at), define(s.target, at); },
        [&](const IfStmt& s) { walk_if(s, at); }, [&](const WhileStmt& s) { walk_while(id, s, at); },
        [&](const ForStmt& s) { walk_for(id, s, at); },
        [&](const BreakStmt&) {
          if (loops_.empty()) return;  // a fault, reported by the typer
          merge(loops_.back().breaks, at);
          at.live = false;
        },
        [&](const ContinueStmt&) {
          if (loops_.empty()) return;
          merge(loops_.back().continues, at);
          at.live = false;
        },
        [&](const ReturnStmt& s) { use(s.value, at), at.live = false; }, [&](const AssertStmt& s) { use(s.cond, at); },
        [&](const RaiseStmt&) { at.live = false; },
        [&](const DelStmt& s) {
          for (ExprId t : s.targets) forget(t, at);
        },
        [](const PassStmt&) {}, [](const FunctionDef&) {}, [](const ImportStmt&) {}, [](const ImportFromStmt&) {});
  }

  void forget(ExprId target, Reaching& at) {
    use(target, at);
    const auto* n = std::get_if<NameExpr>(&ast_.exprs[target].kind);
    if (n != nullptr && at.live && out_.locals_.contains(n->name)) at.of[local(n->name)] = {kUnassigned};
  }

  void walk_if(const IfStmt& s, Reaching& at) {
    use(s.cond, at);
    Reaching other = at;
    walk_block(s.body, at);
    walk_block(s.orelse, other);
    merge(at, other);
  }

  bool always_true(ExprId cond) const {
    return base::match(
        ast_.exprs[cond].kind, [](const BoolLit& b) { return b.value; }, [](const IntLit& i) { return i.value != 0; },
        [](const auto&) { return false; });
  }

  /// The definitions that a loop's own body sends back to its head.
  template <class WalkBody>
  const Reaching& generated(StmtId id, const WalkBody& walk_body) {
    if (const auto it = generated_.find(id.index); it != generated_.end()) return it->second;
    const bool was_recording = std::exchange(recording_, false);
    Reaching body{true, std::vector<DefSet>(out_.locals_.size())};
    loops_.push_back({});
    walk_body(body);
    merge(body, loops_.back().continues);
    loops_.pop_back();
    recording_ = was_recording;
    return generated_.emplace(id.index, std::move(body)).first->second;
  }

  /// Walks a loop: `at` is the entry and becomes the exit. `walk_body` is condition-to-end for while, target-to-end for
  /// for; `endless` when only a break leaves it.
  template <class WalkHead, class WalkBody>
  void walk_loop(StmtId id, const Block& orelse, bool endless, const WalkHead& walk_head, const WalkBody& walk_body,
                 Reaching& at) {
    if (!at.live) return;
    const Reaching back = generated(id, [&](Reaching& r) { walk_head(r), walk_body(r); });
    merge(at, back);
    walk_head(at);
    Reaching body = at;
    loops_.push_back({});
    walk_body(body);
    const Reaching breaks = std::move(loops_.back().breaks);
    loops_.pop_back();
    if (endless) at.live = false;
    walk_block(orelse, at);
    merge(at, breaks);
  }

  void walk_while(StmtId id, const WhileStmt& s, Reaching& at) {
    walk_loop(
        id, s.orelse, always_true(s.cond), [&](Reaching& r) { use(s.cond, r); },
        [&](Reaching& r) { walk_block(s.body, r); }, at);
  }

  void walk_for(StmtId id, const ForStmt& s, Reaching& at) {
    use(s.iterable, at);
    walk_loop(
        id, s.orelse, false, [](Reaching&) {},
        [&](Reaching& r) {
          define(s.target, r);
          walk_block(s.body, r);
        },
        at);
  }

  // --- ranges ---

  LiveRanges finish() {
    for (auto& [use, defs] : use_defs_) unite_defs(syntax::ExprId(use), defs);
    for (uint32_t def = 0; def < defs_.size(); ++def) ++out_.ranges_[range_of(def).index].def_count;
    for (uint32_t def : param_defs_) out_.params_.push_back(range_of(def));
    for (const auto& [target, def] : def_of_target_) out_.defs_[target] = range_of(def);
    for (const auto& [use, defs] : use_defs_) {
      if (!defs.empty() && defs.front() != kUnassigned) out_.uses_[use] = range_of(defs.front());
    }
    return std::move(out_);
  }

  void unite_defs(syntax::ExprId use, const DefSet& defs) {
    // kUnassigned is the largest number, so it sorts last.
    if (!defs.empty() && defs.back() == kUnassigned) {
      out_.undefined_uses_.push_back({use, std::get<NameExpr>(ast_.exprs[use].kind).name, defs.size() == 1});
    }
    for (size_t i = 1; i < defs.size(); ++i) {
      if (defs[i] != kUnassigned) join(defs[0], defs[i]);
    }
  }

  /// The smaller number stays the root, so that a range is named after its first definition.
  void join(uint32_t a, uint32_t b) {
    a = root(a), b = root(b);
    defs_[std::max(a, b)].parent = std::min(a, b);
  }

  RangeId range_of(uint32_t def) {
    const uint32_t r = root(def);
    const auto [it, is_new] = range_of_root_.try_emplace(r, RangeId(static_cast<uint32_t>(out_.ranges_.size())));
    if (is_new) out_.ranges_.push_back({defs_[r].name, defs_[r].span, 0});
    return it->second;
  }

  const Ast& ast_;
  const FunctionDef& function_;
  LiveRanges out_;
  std::vector<Def> defs_;
  std::vector<uint32_t> param_defs_;
  std::unordered_map<uint32_t, uint32_t> def_of_target_;
  std::map<uint32_t, DefSet> use_defs_;  // by use, in text order: diagnostics come out in order
  std::unordered_map<uint32_t, Reaching> generated_;
  std::vector<LoopContext> loops_;
  std::unordered_map<uint32_t, RangeId> range_of_root_;
  bool recording_ = false;
};

LiveRanges find_live_ranges(const syntax::Ast& ast, const syntax::FunctionDef& function) {
  return LiveRangeBuilder(ast, function).build();
}

}  // namespace jitc::sema
