// Statements of the plain evaluator.
#include "src/base/check.hpp"
#include "src/base/match.hpp"
#include "tests/random_arrays/evaluator.hpp"

namespace jitc::random_arrays {

Value Evaluator::call(const sema::TypedFunction& function, std::vector<Value> args) {
  if (++depth_ > 100) throw std::runtime_error("too many calls inside one another");
  Frame frame{&function, std::vector<Value>(function.vars.size()), {}};
  for (size_t k = 0; k < args.size(); ++k) frame.vars.at(function.params.at(k).index) = std::move(args[k]);
  Frame* const caller = std::exchange(frame_, &frame);
  run(function.body);
  frame_ = caller;
  if (--depth_ == 0) kept_.clear();
  return std::move(frame.result);
}

Evaluator::Flow Evaluator::run(const sema::Block& block) {
  for (const sema::StmtId id : block) {
    const Flow flow = run(frame_->fn->stmts[id]);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

Evaluator::Flow Evaluator::run(const sema::Stmt& stmt) {
  return base::match(
      stmt.kind,
      [&](const sema::AssignStmt& s) {
        frame_->vars.at(s.var.index) = value(s.value);
        return Flow::next;
      },
      [&](const sema::StoreStmt& s) {
        const Value stored = value(s.value);
        store(element_place({s.array, s.indices}), stored);
        return Flow::next;
      },
      [&](const sema::StoreViewStmt& s) {
        const Value stored = value(s.value);
        store(place_of(s.target), stored);
        return Flow::next;
      },
      [&](const sema::ExprStmt& s) {
        value(s.value);
        return Flow::next;
      },
      [&](const sema::IfStmt& s) { return run(truth(s.cond) ? s.body : s.orelse); },
      [&](const sema::WhileStmt& s) {
        return loop(s.orelse, [&](Flow& flow) {
          if (!truth(s.cond)) return false;
          flow = run(s.body);
          return true;
        });
      },
      [&](const sema::ForStmt& s) { return run_for(s); },
      [&](const sema::UnrolledStmt& s) {
        size_t turn = 0;
        return loop(s.orelse, [&](Flow& flow) {
          if (turn == s.bindings.size()) return false;
          run(s.bindings[turn++]);
          flow = run(s.body);
          return true;
        });
      },
      [](const sema::BreakStmt&) { return Flow::leave; }, [](const sema::ContinueStmt&) { return Flow::again; },
      [&](const sema::ReturnStmt& s) {
        if (s.value.valid()) frame_->result = value(s.value);
        return Flow::done;
      },
      [&](const sema::FailStmt& s) {
        if (!s.cond.valid() || truth(s.cond)) throw CallFailure(s.message);
        return Flow::next;
      });
}

/// `turn(flow)` makes one turn, or says that there is none left.
template <class Turn>
Evaluator::Flow Evaluator::loop(const sema::Block& orelse, const Turn& turn) {
  for (int turns = 0;; ++turns) {
    if (turns > 10000) throw std::runtime_error("a loop without end");
    Flow flow = Flow::next;
    if (!turn(flow)) return run(orelse);
    if (flow == Flow::leave) return Flow::next;
    if (flow == Flow::done) return flow;
  }
}

Evaluator::Flow Evaluator::run_for(const sema::ForStmt& s) {
  int64_t next = integer(s.begin);
  const int64_t end = integer(s.end), step = integer(s.step);
  return loop(s.orelse, [&](Flow& flow) {
    if (step >= 0 ? next >= end : next <= end) return false;
    frame_->vars.at(s.var.index) = Value::of(static_cast<Bits>(next));
    next += step;
    flow = run(s.body);
    return true;
  });
}

Dense Evaluator::place_of(ExprId target) {
  if (const auto* element = std::get_if<sema::ElementExpr>(&expr(target).kind)) return element_place(*element);
  return array(target);
}

/// As if the value had been copied before.
void Evaluator::store(const Dense& target, const Value& value) {
  Dense source = new_dense(target.dtype, {});
  if (value.array == nullptr) {
    source.numbers->at(0) = value.number;
  } else {
    source = new_dense(target.dtype, value.array->shape);
    for_each_index(source.shape, [&](const Shape& index) { source.at(index) = value.array->at(index); });
  }
  if (broadcast_shapes(source.shape, target.shape) != target.shape)
    throw CallFailure("a value too large for its place");
  for_each_index(target.shape, [&](const Shape& index) { target.at(index) = broadcast_element(source, index); });
}

}  // namespace jitc::random_arrays
