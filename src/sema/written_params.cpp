#include "src/sema/written_params.hpp"

#include <set>

#include "src/base/match.hpp"

namespace jitc::sema {

namespace {

/// Places of parameters.
using Params = std::set<uint32_t>;

/// What was found of each function: calls may be many more than functions.
using Memo = std::map<const TypedFunction*, std::map<uint32_t, Span>>;

const std::map<uint32_t, Span>& find_writes(const TypedFunction& fn, Memo& memo);

class WriteFinder {
 public:
  WriteFinder(const TypedFunction& fn, Memo& memo) : fn_(fn), memo_(memo), may_be_(fn.vars.size()) {
    for (uint32_t k = 0; k < fn.params.size(); ++k) may_be_[fn.params[k].index].insert(k);
  }

  std::map<uint32_t, Span> run() {
    while (spread()) {}
    for (const Stmt& s : fn_.stmts) {
      if (const auto* store = std::get_if<StoreStmt>(&s.kind)) note(origins(store->array), s.span);
    }
    for (const Expr& e : fn_.exprs) note_effects(e);
    return std::move(found_);
  }

 private:
  void note(const Params& params, Span span) {
    for (const uint32_t k : params) {
      const auto [it, is_new] = found_.try_emplace(k, span);
      if (!is_new && span.begin < it->second.begin) it->second = span;
    }
  }

  void note_effects(const Expr& e) {
    if (const auto* atomic = std::get_if<AtomicExpr>(&e.kind)) note(origins(atomic->array), e.span);
    if (const auto* random = std::get_if<RandomExpr>(&e.kind)) note(origins(random->states), e.span);
    const auto* call = std::get_if<CallExpr>(&e.kind);
    if (call == nullptr) return;
    for (const auto& [param, span] : find_writes(*call->function, memo_)) note(origins(call->args[param]), e.span);
  }

  /// Follows the assignments once; whether a variable may be of more parameters than was known.
  bool spread() {
    bool grew = false;
    const auto assign = [&](VarId var, ExprId value) {
      Params& known = may_be_[var.index];
      const size_t before = known.size();
      known.merge(origins(value));
      grew = grew || known.size() != before;
    };
    for (const Stmt& s : fn_.stmts) {
      if (const auto* a = std::get_if<AssignStmt>(&s.kind)) assign(a->var, a->value);
    }
    for (const Expr& e : fn_.exprs) {
      if (const auto* let = std::get_if<LetExpr>(&e.kind)) assign(let->var, let->value);
    }
    return grew;
  }

  /// The parameters of whose memory the array, or an item of the tuple, may be.
  Params origins(ExprId id) const {
    const auto join = [&](const std::vector<ExprId>& ids) {
      Params out;
      for (const ExprId each : ids) out.merge(origins(each));
      return out;
    };
    return base::match(
        fn_.exprs[id].kind,  //
        [&](const VarExpr& e) { return may_be_[e.var.index]; }, [&](const ViewExpr& e) { return origins(e.array); },
        [&](const TransposeExpr& e) { return origins(e.array); },
        [&](const PartViewExpr& e) { return origins(e.array); },
        [&](const TernaryExpr& e) {
          return join({e.then_value, e.else_value});
        },
        [&](const LogicValueExpr& e) {
          return join({e.lhs, e.rhs});
        },
        [&](const LetExpr& e) { return origins(e.body); }, [&](const TupleExpr& e) { return join(e.elements); },
        [&](const TupleItemExpr& e) { return origins(e.tuple); }, [&](const CallExpr& e) { return join(e.args); },
        [](const auto&) { return Params(); });
  }

  const TypedFunction& fn_;
  Memo& memo_;
  std::vector<Params> may_be_;  ///< by variable
  std::map<uint32_t, Span> found_;
};

const std::map<uint32_t, Span>& find_writes(const TypedFunction& fn, Memo& memo) {
  const auto found = memo.find(&fn);
  return found != memo.end() ? found->second : memo.emplace(&fn, WriteFinder(fn, memo).run()).first->second;
}

}  // namespace

std::map<uint32_t, Span> written_params(const TypedFunction& function) {
  Memo memo;
  return find_writes(function, memo);
}

}  // namespace jitc::sema
