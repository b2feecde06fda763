// Groups of nodes as kernels.
#include <fmt/format.h>

#include <algorithm>

#include "src/array/row_writer.hpp"
#include "src/kernel/lower.hpp"

namespace jitc::array {

/// What stands for a node in a kernel that takes it: itself, or nothing where it is computed in place.
NodeId Scheduler::leaf_of(NodeId id) const {
  const Map* map = as_map(program(), id);
  const bool is_constant = map != nullptr && map->args.empty();
  return is_inline(id) || is_constant ? NodeId() : id;
}

std::string Scheduler::operand_name(NodeId id) const {
  const NodeId base = root_base(program(), id);
  if (const auto* p = std::get_if<Param>(&node(base).kind)) return program().params[p->param].name;
  if (const auto* r = std::get_if<Read>(&node(base).kind)) return program().slots[r->slot].name;
  if (const auto* t = std::get_if<Table>(&node(base).kind); t != nullptr && !t->name.empty()) return t->name;
  return fmt::format("t{}", base.index);
}

kernel::KernelOperand Scheduler::operand(NodeId id, bool per_row) const {
  using Kind = kernel::KernelOperand::Kind;
  const NodeId base = root_base(program(), id);
  Kind kind = Kind::array;
  if (node(id).on_host || (node(id).rank() == 0 && std::holds_alternative<Param>(node(id).kind))) kind = Kind::scalar;
  // What other blocks take has memory.
  const bool has_memory = block_->roots.contains(base.index) || !is_here(base);
  if (std::holds_alternative<Iota>(node(base).kind) && !has_memory) kind = Kind::index;
  return {operand_name(id), node(id).dtype, kind, per_row};
}

uint32_t Scheduler::add_kernel(std::string name, Span span, KernelKind kind) {
  plan_.kernels.push_back(
      {fmt::format("{}_{}{}", program().name, name, plan_.kernels.size()), span, std::move(kind), false});
  return static_cast<uint32_t>(plan_.kernels.size() - 1);
}

uint32_t Scheduler::add_step(Span span, KernelKind kind) {
  const uint32_t number = add_kernel("step", span, std::move(kind));
  plan_.kernels[number].is_step = true;
  return number;
}

void Scheduler::write_kernels() {
  for (uint32_t k = 0; k < block_->rows.size(); ++k) write_rows(k);
  for (uint32_t k = 0; k < block_->contractions.size(); ++k) write_contraction(k);
  for (const MapGroup& group : block_->maps) write_map(group);
}

/// Without results: where they go is for the caller to say.
MapKernel Scheduler::map_kernel(const std::vector<NodeId>& values, const LeafOf& leaf) {
  MapKernel out;
  WrittenFunction written = write_function(types_, program(), values, leaf, "map");
  out.function = std::move(written.function);
  out.operands = std::move(written.leaves);
  for (const NodeId o : out.operands) out.kinds.push_back(operand(o, false));
  out.elems_in_group = kernel::elems_in_group(types_, *out.function);
  return out;
}

void Scheduler::write_map(const MapGroup& group) {
  // What is computed: the root itself, or what it is a copy of.
  const auto computed = [&](NodeId id) {
    if (group.join.valid()) return id;
    if (const auto* copy = std::get_if<Copy>(&node(id).kind)) return copy->array;
    if (const auto* fill = std::get_if<Fill>(&node(id).kind)) return fill->value;
    return id;
  };
  std::vector<NodeId> values;
  std::vector<Result> results;
  Span span;
  if (group.store) {
    const Store store = std::get<Store>(program().stmts[*group.store].kind);
    span = program().stmts[*group.store].span;
    values.push_back(store.value);
    results.push_back({store.value, store.target, -1});
  } else {
    span = node(group.roots[0]).span;
    for (const NodeId root : group.roots) {
      values.push_back(computed(root));
      results.push_back({root, group.join, group.part});
    }
  }
  const bool computes = !group.store && !group.join.valid();
  const auto leaf = [&](NodeId id) {
    const bool own = computes && std::find(group.roots.begin(), group.roots.end(), id) != group.roots.end();
    return own && is_elementwise(node(id)) ? NodeId() : leaf_of(id);
  };
  MapKernel kernel = map_kernel(values, leaf);
  kernel.results = std::move(results);
  const uint32_t number = add_kernel("map", span, std::move(kernel));
  if (group.store) {
    block_->store_of.emplace(group.store->index, number);
  } else if (group.join.valid()) {
    block_->joins[group.join.index].push_back(number);
  } else {
    for (const NodeId root : group.roots) block_->kernel_of[root.index] = number;
  }
}

/// One for each shape: what broadcasts with a domain may turn out to be larger, or to have no elements.
void Scheduler::add_map_steps(const std::vector<NodeId>& roots, const LeafOf& leaf, Span span,
                              std::vector<uint32_t>& steps) {
  std::map<std::vector<ExtentId>, std::vector<NodeId>> by_shape;
  for (const NodeId root : roots) by_shape[node(root).shape].push_back(root);
  for (const auto& [shape, same] : by_shape) {
    MapKernel last = map_kernel(same, leaf);
    for (const NodeId root : same) last.results.push_back({root, NodeId(), -1});
    steps.push_back(add_step(span, std::move(last)));
  }
}

void Scheduler::write_rows(uint32_t index) {
  RowWriter writer(*this, index);
  const RowGroup& group = block_->rows[index];
  const Span span = node(group.first_fold()).span;
  RowsKernel whole = writer.whole();
  whole.rows.name = "rows";
  whole.rows.span = span;
  std::vector<uint32_t> steps;
  if (!writer.is_one_walk()) {
    for (RowsKernel& step : writer.in_steps()) {
      step.rows.name = "rows";
      step.rows.span = span;
      steps.push_back(add_step(span, std::move(step)));
    }
    if (!writer.element_roots().empty()) {
      const auto leaf = [&](NodeId id) {
        const auto row = group.row_value(id);
        if (row && writer.is_kept(row->value)) return id;
        const auto& roots = writer.element_roots();
        const bool own = std::find(roots.begin(), roots.end(), id) != roots.end();
        return own ? NodeId() : leaf_of(id);
      };
      add_map_steps(writer.element_roots(), leaf, span, steps);
    }
  }
  whole.in_steps = std::move(steps);
  std::vector<NodeId> values;
  for (const Result& r : whole.results) values.push_back(r.value);
  const uint32_t number = add_kernel("rows", span, std::move(whole));
  plan_.kernels[number].name = fmt::format("{}_rows{}", program().name, number);
  for (const NodeId v : values) block_->kernel_of[v.index] = number;
}

void Scheduler::write_factor(NodeId factor, kernel::ContractFactor& out, std::vector<NodeId>& operands) {
  operands = {factor};
  if (is_inline(factor)) {
    WrittenFunction written = write_function(
        types_, program(), {factor}, [&](NodeId n) { return leaf_of(n); }, "factor");
    out.element = std::move(written.function);
    operands = std::move(written.leaves);
  }
  for (const NodeId o : operands) out.operands.push_back(operand(o, false));
}

void Scheduler::write_contraction(uint32_t index) {
  const ContractGroup& group = block_->contractions[index];
  const NodeId product = group.product;
  const Contract c = std::get<Contract>(node(product).kind);
  const Span span = node(product).span;
  ContractLaunch launch;
  launch.node = product;
  launch.contract.name = "contract";
  launch.contract.span = span;
  launch.contract.dtype = node(product).dtype;
  write_factor(c.a, launch.contract.a, launch.a_operands);
  write_factor(c.b, launch.contract.b, launch.b_operands);
  ContractLaunch sums = launch;
  sums.contract.outputs = {node(product).dtype};
  sums.results = {{product, NodeId(), -1}};
  if (group.roots.empty()) {
    block_->kernel_of[product.index] = add_kernel("contract", span, std::move(sums));
    return;
  }
  std::vector<NodeId> values = group.roots;
  const auto kernel = static_cast<uint32_t>(block_->rows.size() + index);
  const std::vector<NodeId>& users = block_->nodes.users.at(product.index);
  const bool is_wanted =
      block_->nodes.effects.contains(product.index) ||
      std::any_of(users.begin(), users.end(), [&](NodeId u) { return !is_only_in(u, product, kernel); });
  if (is_wanted) values.insert(values.begin(), product);

  const auto leaf = [&](NodeId id) {
    return id != product && block_->together.are_together(id, product) ? NodeId() : leaf_of(id);
  };
  WrittenFunction written = write_function(types_, program(), values, leaf, "epilogue", {product});
  launch.contract.epilogue = std::move(written.function);
  launch.epilogue_operands.assign(written.leaves.begin() + 1, written.leaves.end());
  for (const NodeId o : launch.epilogue_operands) launch.contract.epilogue_operands.push_back(operand(o, false));
  for (const NodeId v : values) {
    launch.contract.outputs.push_back(node(v).dtype);
    launch.results.push_back({v, NodeId(), -1});
  }
  // Whether the maps have the product's own shape, and whether there is a library for the product, a call says.
  const bool is_ours = program().blas == sema::BlasUse::never;
  const bool may_grow =
      std::any_of(values.begin(), values.end(), [&](NodeId v) { return node(v).shape != node(product).shape; });
  if (may_grow || !is_ours) {
    launch.in_steps = {add_step(span, std::move(sums))};
    add_map_steps(group.roots, leaf, span, launch.in_steps);
  }
  const uint32_t number = add_kernel("contract", span, std::move(launch));
  for (const NodeId v : values) block_->kernel_of[v.index] = number;
}

}  // namespace jitc::array
