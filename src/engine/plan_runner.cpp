#include "src/engine/plan_runner.hpp"

#include <algorithm>

#include "runtime/common/error.hpp"
#include "runtime/common/memory_overlap.hpp"
#include "src/array/plan_uses.hpp"
#include "src/base/match.hpp"

namespace jitc::engine {

using runtime::fail;

PlanRunner::PlanRunner(const FunctionState& function, const pipeline::KernelVariant& variant,
                       const types::TypeTable& types, const source::SourceFile& file, Place place, LaunchReport& report)
    : function_(function),
      plan_(*variant.plan),
      program_(variant.plan->program),
      types_(types),
      file_(file),
      place_(std::move(place)),
      report_(report),
      values_(program_.nodes.size()),
      shapes_(program_.nodes.size()),
      slots_(program_.slots.size()) {}

std::vector<NodeValue> PlanRunner::run(const std::vector<Argument>& args, const std::vector<Argument>& out,
                                       const ShapesCheck& check_results) {
  args_ = args;
  const bool checked = check_shapes(program_.body, check_results);
  // A shape that is found wrong later must not find the caller's arrays changed.
  if (checked && !out.empty()) take_given(out);
  run_steps(plan_.steps);
  if (!checked) {
    std::vector<std::vector<int64_t>> shapes;
    for (const NodeValue& result : results_) shapes.push_back(result.shape());
    check_results(shapes);
  }
  return std::move(results_);
}

/// A value that is computed once, outside of blocks, and returned there: its memory may be the caller's from the start.
void PlanRunner::take_given(const std::vector<Argument>& out) {
  std::vector<bool> is_computed(program_.nodes.size(), false);
  const array::ReturnStep* last = nullptr;
  for (const array::Step& step : plan_.steps) {
    if (const auto* alloc = std::get_if<array::AllocStep>(&step.kind)) is_computed[alloc->node.index] = true;
    if (const auto* launch = std::get_if<array::LaunchStep>(&step.kind)) {
      for (const array::Result& made : array::results_of(plan_.kernels[launch->kernel])) {
        if (!made.target.valid()) is_computed[made.value.index] = true;
      }
    }
    if (const auto* end = std::get_if<array::ReturnStep>(&step.kind)) last = end;
  }
  for (size_t k = 0; last != nullptr && k < out.size(); ++k) {
    const auto* array = std::get_if<Array>(&out[k].value());
    const NodeId result = last->values[k];
    if (array != nullptr && is_computed[result.index] && is_apart(*array)) given_.try_emplace(result.index, *array);
  }
}

/// From the arguments, which may still be read after the result is stored.
bool PlanRunner::is_apart(const Array& given) const {
  const runtime::Operand own = runtime::operand_of({}, given);
  return std::ranges::none_of(args_, [&](const Argument& a) {
    const auto* array = std::get_if<Array>(&a.value());
    return array != nullptr && runtime::may_overlap(own, runtime::operand_of({}, *array));
  });
}

/// All that is known before the first kernel: a shape that does not fit is found before anything is changed. True where
/// that is everything, the results' shapes among it.
bool PlanRunner::check_shapes(const array::Block& block, const ShapesCheck& check_results) {
  for (const array::StmtId id : block) {
    if (const auto* end = std::get_if<array::Return>(&program_.stmts[id].kind)) {
      std::vector<std::vector<int64_t>> shapes;
      for (const NodeId v : end->values) shapes.push_back(shape_of(v));
      check_results(shapes);
      return true;
    }
    const auto* define = std::get_if<array::Define>(&program_.stmts[id].kind);
    // What comes later may depend on what this does.
    if (define == nullptr && !std::holds_alternative<array::Store>(program_.stmts[id].kind)) return false;
    if (define == nullptr) continue;
    const array::Node& n = node(define->node);
    if (std::holds_alternative<array::ToHost>(n.kind)) return false;
    if (n.on_host) {
      value(define->node);
    } else if (!std::holds_alternative<array::Read>(n.kind)) {
      shape_of(define->node);
    }
  }
  return false;
}

PlanRunner::Jump PlanRunner::run_steps(const array::Steps& steps) {
  for (const array::Step& step : steps) {
    const Jump jump = run_step(step);
    if (jump.kind != Jump::Kind::none) return jump;
  }
  return {};
}

PlanRunner::Jump PlanRunner::run_step(const array::Step& step) {
  using K = Jump::Kind;
  return base::match(
      step.kind,
      [&](const array::EvalStep& s) {
        shapes_[s.node.index].reset();
        values_[s.node.index] = evaluate(s.node);
        return Jump{};
      },
      [&](const array::AllocStep& s) {
        shapes_[s.node.index].reset();
        joined_[s.node.index] = 0;
        values_[s.node.index] = NodeValue::of(new_array(s.node, shape_of(s.node)));
        return Jump{};
      },
      [&](const array::LaunchStep& s) {
        launch(s.kernel);
        return Jump{};
      },
      [&](const array::SetStep& s) {
        slots_[s.slot.index] = in_memory_value(s.value);
        // What kernels compute elsewhere is read from memory everywhere.
        const array::Slot& slot = program_.slots[s.slot];
        NodeValue& now = slots_[s.slot.index];
        if (!slot.on_host && now.kind == NodeValue::Kind::scalar) now = NodeValue::of(in_memory(now.scalar, place_));
        return Jump{};
      },
      [&](const array::IfStep& s) { return run_steps(truth(s.cond) ? s.then_steps : s.else_steps); },
      [&](const array::LoopStep& s) { return run_loop(s); },
      [&](const array::ScopeStep& s) {
        const Jump jump = run_steps(s.body);
        return jump.kind == K::exit && jump.label == s.label ? Jump{} : jump;
      },
      [](const array::ExitStep& s) {
        return Jump{K::exit, s.label};
      },
      [](const array::ContinueStep& s) {
        return Jump{K::resume, s.label};
      },
      [&](const array::ReturnStep& s) {
        for (const NodeId v : s.values) results_.push_back(in_memory_value(v));
        return Jump{K::done, {}};
      },
      [&](const array::FailStep& s) -> Jump {
        if (s.cond.valid() && !truth(s.cond)) return {};
        fail(ErrorCode::kernel, "{}, line {}: {}", function_.title, file_.position(step.span.begin).line, s.message);
      },
      [&](const array::FreeStep& s) {
        for (const NodeId n : s.nodes) values_[n.index] = {};
        return Jump{};
      });
}

PlanRunner::Jump PlanRunner::run_loop(const array::LoopStep& loop) {
  for (;;) {
    // Shapes of what the last turn defined are not those of this one.
    for (auto& shape : shapes_) shape.reset();
    if (const Jump jump = run_steps(loop.head); jump.kind != Jump::Kind::none) return jump;
    if (!truth(loop.cond)) return {};
    const Jump jump = run_steps(loop.body);
    if (jump.kind == Jump::Kind::exit && jump.label == loop.label) return {};
    const bool goes_on = jump.kind == Jump::Kind::none || (jump.kind == Jump::Kind::resume && jump.label == loop.label);
    if (!goes_on) return jump;
    run_steps(loop.advance);
  }
}

}  // namespace jitc::engine
