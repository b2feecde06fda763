// Statements to steps: what the host computes happens where it stands, and a kernel is launched just before the first
// effect that asks for what it computes.
#include "src/array/plan_uses.hpp"
#include "src/array/scheduler.hpp"

namespace jitc::array {

Plan schedule(types::TypeTable& types, Program program) { return Scheduler(types, std::move(program)).run(); }

Plan Scheduler::run() {
  const Block body = plan_.program.body;
  plan_.steps = schedule_block(body);
  return std::move(plan_);
}

Steps Scheduler::schedule_block(const Block& block, const std::vector<NodeId>& extra) {
  BlockState state;
  state.number = current_;
  state.nodes = find_block_nodes(program(), places_, block, current_, extra);
  BlockState* const outer = std::exchange(block_, &state);
  Steps* const outer_steps = steps_;
  choose_kernels(block);
  write_kernels();
  Steps out;
  for (uint32_t k = 0; k < block.size(); ++k) {
    steps_ = &out;
    state.position = k;
    lower_stmt(block[k]);
  }
  steps_ = &out;
  for (const NodeId id : extra) demand(id);
  block_ = outer;
  steps_ = outer_steps;
  return out;
}

void Scheduler::lower_stmt(StmtId id) {
  const Stmt s = program().stmts[id];
  Steps* const steps = steps_;
  const auto nested = [&](const Block& b, const std::vector<NodeId>& extra = {}) {
    const uint32_t outer = std::exchange(current_, ++entered_);
    Steps made = schedule_block(b, extra);
    current_ = outer;
    return made;
  };
  const auto push = [&](auto step) { steps->push_back({s.span, std::move(step)}); };
  base::match(
      s.kind, [&](const Define& d) { lower_define(d.node); },
      [&](const Set& x) {
        demand(x.value);
        push(SetStep{x.slot, x.value});
      },
      [&](const Store&) { lower_store(id); },
      [&](const If& x) {
        demand(x.cond);
        demand_for_blocks(s);
        IfStep step{x.cond, nested(x.then_block), {}};
        step.else_steps = nested(x.else_block);
        push(std::move(step));
      },
      [&](const Loop& x) {
        demand_for_blocks(s);
        LoopStep step{x.label, nested(x.head, {x.cond}), x.cond, {}, {}};
        step.body = nested(x.body);
        step.advance = nested(x.step);
        push(std::move(step));
      },
      [&](const Scope& x) {
        demand_for_blocks(s);
        push(ScopeStep{x.label, nested(x.body)});
      },
      [&](const Exit& x) { push(ExitStep{x.label}); }, [&](const Continue& x) { push(ContinueStep{x.label}); },
      [&](const Return& x) {
        for (const NodeId v : x.values) demand(v);
        push(ReturnStep{x.values});
      },
      [&](const Fail& x) {
        if (x.cond.valid()) demand(x.cond);
        push(FailStep{x.cond, x.message});
      });
}

/// Variables and scalars of the host have the value of this moment; so has what is stored into later.
void Scheduler::lower_define(NodeId id) {
  const Node& n = node(id);
  if (std::holds_alternative<Read>(n.kind) || std::holds_alternative<Param>(n.kind)) return eval(id);
  if (!block_->nodes.live.contains(id.index)) return;
  if (n.on_host || n.is_stored) demand(id);
}

void Scheduler::lower_store(StmtId id) {
  demand_before_store();
  const Store store = std::get<Store>(program().stmts[id].kind);
  demand(store.target);
  launch(block_->store_of.at(id.index), program().stmts[id].span);
}

/// What was defined before memory changes is computed before.
void Scheduler::demand_before_store() {
  std::vector<uint32_t> earlier;
  const auto note = [&](uint32_t id) {
    if (is_here(NodeId(id)) && places_[NodeId(id)].position < block_->position) earlier.push_back(id);
  };
  for (const auto& [id, kernel] : block_->kernel_of) note(id);
  for (const auto& [id, kernels] : block_->joins) note(id);
  // A reshape may be a copy: only a call knows.
  for (const uint32_t id : block_->nodes.live) {
    if (std::holds_alternative<Reshape>(node(NodeId(id)).kind)) note(id);
  }
  for (const uint32_t id : earlier) demand(NodeId(id));
}

void Scheduler::eval(NodeId id) {
  if (block_->done.insert(id.index).second) steps_->push_back({node(id).span, EvalStep{id}});
}

void Scheduler::demand(NodeId id) {
  if (!is_here(id) || block_->done.contains(id.index)) return;
  const Node& n = node(id);
  if (!n.on_host) demand_shape(id);
  if (const auto found = block_->kernel_of.find(id.index); found != block_->kernel_of.end()) {
    return launch(found->second, n.span);
  }
  if (const auto found = block_->joins.find(id.index); found != block_->joins.end()) {
    const std::vector<uint32_t> kernels = found->second;
    // The length of the whole is that of its parts.
    for (const NodeId part : std::get<Join>(n.kind).parts) demand_shape(part);
    block_->done.insert(id.index);
    steps_->push_back({n.span, AllocStep{id}});
    for (const uint32_t k : kernels) launch(k, n.span);
    return;
  }
  if (const auto* join = std::get_if<Join>(&n.kind)) {
    for (const NodeId part : join->parts) demand_shape(part), demand(through_fill(program(), part));
    return eval(id);
  }
  if (const auto* fill = std::get_if<Fill>(&n.kind); fill != nullptr && !fill->value.valid()) {
    block_->done.insert(id.index);
    steps_->push_back({n.span, AllocStep{id}});
    return;
  }
  if (const auto* extent = std::get_if<Extent>(&n.kind)) {
    demand_shape(extent->array);
    return eval(id);
  }
  for_each_arg(n, [&](NodeId arg) { demand(arg); });
  eval(id);
}

/// The scalars that a shape follows from: the elements may never be there.
void Scheduler::demand_shape(NodeId id) {
  const Node& n = node(id);
  if (n.on_host) return demand(id);
  if (!block_->shaped.insert(id.index).second) return;
  for (const ExtentId e : n.shape) demand_extent(e, id);
  if (view_base(n).valid() || std::holds_alternative<Join>(n.kind)) {
    for_each_arg(n, [&](NodeId a) { demand_shape(a); });
  }
}

void Scheduler::demand_extent(ExtentId extent, NodeId own) {
  for_each_scalar(program(), extent, [&](NodeId n) {
    if (n != own) demand_shape(n);
  });
}

void Scheduler::launch(uint32_t kernel, Span span) {
  if (!block_->launched.insert(kernel).second) return;
  const Kernel k = plan_.kernels[kernel];
  for (const NodeId n : operands_of(k)) demand(n);
  if (const auto* rows = std::get_if<RowsKernel>(&k.kind)) demand_shape(rows->domain);
  if (const auto* launch = std::get_if<ContractLaunch>(&k.kind)) {
    demand_shape(launch->node);
    const auto& product = std::get<Contract>(node(launch->node).kind);
    demand_shape(product.a), demand_shape(product.b);
  }
  for (const Result& r : results_of(k)) {
    demand_shape(r.value);
    if (r.target.valid() && r.part < 0) demand(r.target);
  }
  steps_->push_back({span, LaunchStep{kernel}});
  for (const Result& r : results_of(k)) {
    if (!r.target.valid()) block_->done.insert(r.value.index);
  }
}

void Scheduler::demand_for_blocks(const Stmt& stmt) {
  for (const uint32_t id : taken_inside(program(), stmt)) demand(NodeId(id));
  if (places_.has_stores()) demand_before_store();
}

}  // namespace jitc::array
