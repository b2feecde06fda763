#include "src/array/free_values.hpp"

#include <map>
#include <set>

#include "src/array/plan_uses.hpp"
#include "src/array/uses.hpp"

namespace jitc::array {

namespace {

class Freer {
 public:
  explicit Freer(Plan& plan) : plan_(plan) {}

  /// `returned` values outlive the call's steps.
  void run(Steps& steps) {
    std::map<uint32_t, size_t> last;  // by node that this list makes
    std::set<uint32_t> made;
    for (size_t k = 0; k < steps.size(); ++k) {
      std::set<uint32_t> used;
      visit(steps[k], used, made);
      for (const uint32_t node : used) {
        if (made.contains(node)) last[node] = k;
      }
    }
    for (Step& step : steps) inside(step);
    std::map<size_t, std::vector<NodeId>> frees;
    for (const auto& [node, at] : last) {
      const Node& n = plan_.program.nodes[NodeId(node)];
      const bool has_memory = !n.on_host && !std::holds_alternative<Param>(n.kind) &&
                              !std::holds_alternative<Iota>(n.kind) && !std::holds_alternative<Table>(n.kind);
      if (has_memory && !leaves(steps[at])) frees[at].push_back(NodeId(node));
    }
    Steps out;
    for (size_t k = 0; k < steps.size(); ++k) {
      const Span span = steps[k].span;
      out.push_back(std::move(steps[k]));
      if (const auto found = frees.find(k); found != frees.end())
        out.push_back({span, FreeStep{std::move(found->second)}});
    }
    steps = std::move(out);
  }

 private:
  static bool leaves(const Step& step) {
    return std::holds_alternative<ReturnStep>(step.kind) || std::holds_alternative<ExitStep>(step.kind) ||
           std::holds_alternative<ContinueStep>(step.kind);
  }

  void inside(Step& step) {
    base::match(
        step.kind, [&](IfStep& s) { run(s.then_steps), run(s.else_steps); },
        [&](LoopStep& s) { run(s.head), run(s.body), run(s.advance); }, [&](ScopeStep& s) { run(s.body); },
        [](auto&) {});
  }

  /// What the step takes, and notes in `made` what it makes itself, not inside its blocks.
  void visit(const Step& step, std::set<uint32_t>& used, std::set<uint32_t>& made) {
    const auto use = [&](NodeId id) {
      if (id.valid()) used.insert(id.index);
    };
    const auto all = [&](const Steps& list) {
      std::set<uint32_t> theirs;
      for (const Step& s : list) visit(s, used, theirs);
    };
    base::match(
        step.kind,
        [&](const EvalStep& s) {
          for_each_arg(plan_.program.nodes[s.node], use);
          if (const auto* join = std::get_if<Join>(&plan_.program.nodes[s.node].kind)) {
            for (const NodeId part : join->parts) use(through_fill(plan_.program, part));
          }
          make(s.node, used, made);
        },
        [&](const AllocStep& s) { make(s.node, used, made); },
        [&](const LaunchStep& s) { visit_kernel(s.kernel, used, made); }, [&](const SetStep& s) { use(s.value); },
        [&](const IfStep& s) { use(s.cond), all(s.then_steps), all(s.else_steps); },
        [&](const LoopStep& s) { use(s.cond), all(s.head), all(s.body), all(s.advance); },
        [&](const ScopeStep& s) { all(s.body); }, [](const ExitStep&) {}, [](const ContinueStep&) {},
        [&](const ReturnStep& s) {
          for (const NodeId v : s.values) use(v);
        },
        [&](const FailStep& s) { use(s.cond); }, [](const FreeStep&) {});
  }

  static void make(NodeId id, std::set<uint32_t>& used, std::set<uint32_t>& made) {
    made.insert(id.index);
    used.insert(id.index);
  }

  void visit_kernel(uint32_t number, std::set<uint32_t>& used, std::set<uint32_t>& made) {
    const Kernel& kernel = plan_.kernels[number];
    for (const NodeId id : operands_of(kernel)) used.insert(id.index);
    for (const uint32_t step : steps_of(kernel)) visit_kernel(step, used, made);
    for (const Result& r : results_of(kernel)) {
      if (r.target.valid()) {
        used.insert(r.target.index);
      } else {
        make(r.value, used, made);
      }
    }
  }

  Plan& plan_;
};

}  // namespace

Plan free_values(Plan plan) {
  Freer(plan).run(plan.steps);
  return plan;
}

}  // namespace jitc::array
