// The kernels of a plan: which form of each fits the arrays of a call, and its launch.
#include <algorithm>

#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/common/memory_overlap.hpp"
#include "runtime/common/params.hpp"
#include "src/base/match.hpp"
#include "src/engine/contract_launches.hpp"
#include "src/engine/elementwise_launch.hpp"
#include "src/engine/plan_runner.hpp"
#include "src/engine/row_launches.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;
using runtime::Operand;

Operand operand_of(const NodeValue& value) {
  if (value.kind == NodeValue::Kind::array) return runtime::operand_of({}, value.array);
  return {{}, value.extents, value.steps, static_cast<uintptr_t>(value.first), 1};
}

/// Whether storing element by element where `stored` lies would change what is still to be read.
bool disturbs(const Array& stored, const NodeValue& read, std::span<const int64_t> shape) {
  if (read.kind == NodeValue::Kind::joined) {
    return std::ranges::any_of(*read.parts, [&](const JoinedPart& part) {
      const bool is_array = part.value.kind == NodeValue::Kind::array;
      return is_array && runtime::may_overlap(runtime::operand_of("", stored), operand_of(part.value));
    });
  }
  if (read.kind != NodeValue::Kind::array) return false;
  const Operand a = runtime::operand_of("", stored), b = runtime::operand_of("", read.array);
  if (!runtime::may_overlap(a, b)) return false;
  // A broadcast view is stored to by many threads: each would read what another one has stored.
  bool repeats = false;
  for (size_t k = 0; k < a.shape.size(); ++k) repeats = repeats || (a.shape[k] > 1 && a.strides_bytes[k] == 0);
  return repeats || !runtime::are_same_elements(a, b, shape);
}

}  // namespace

void PlanRunner::launch(uint32_t kernel) {
  base::match(
      plan_.kernels[kernel].kind, [&](const array::MapKernel& k) { launch_map(kernel, k); },
      [&](const array::RowsKernel& k) { launch_rows(kernel, k); },
      [&](const array::ContractLaunch& k) { launch_contract(kernel, k); });
}

/// Memory for a result: its own, or where a statement stores.
Array PlanRunner::target_of(const array::Result& result, const std::vector<int64_t>& shape) {
  if (!result.target.valid()) {
    // All windows are of one array.
    if (window_ && window_->begin > 0) return values_[result.value.index].array;
    const Array made = new_array(result.value, shape);
    values_[result.value.index] = NodeValue::of(made);
    return made;
  }
  const NodeValue& target = value(result.target);
  JITC_CHECK(target.kind == NodeValue::Kind::array, "a store to what is no memory");
  if (result.part < 0) return target.array;
  const auto& join = std::get<array::Join>(node(result.target).kind);
  int64_t& begin = joined_[result.target.index];
  const int64_t end = begin + shape[join.axis];
  const Array part = target.array.slice(static_cast<int>(join.axis), begin, end);
  begin = end;
  return part;
}

void PlanRunner::copy_array(const Array& from, const Array& to) { to.copy_from(from, Stream::of_queue(place_.queue)); }

void PlanRunner::launch_map(uint32_t kernel, const array::MapKernel& map) {
  const array::Result& first = map.results[0];
  const bool stores = first.target.valid() && first.part < 0;
  const std::vector<int64_t> whole = stores ? value(first.target).shape() : shape_of(first.value);
  const std::vector<int64_t> shape = in_window(whole);
  std::vector<NodeValue> inputs;
  for (const NodeId o : map.operands) {
    // A range that gets memory here is still the range that it is read as.
    const bool is_range = std::holds_alternative<array::Iota>(node(o).kind) && o == first.value;
    inputs.push_back(in_window(is_range ? evaluate(o) : value(o)));
  }
  MapOperands operands{shape, std::move(inputs), {}};
  for (const array::Result& r : map.results) {
    operands.results.push_back(in_window(NodeValue::of(target_of(r, whole))).array);
  }
  if (stores) {
    check_broadcasts(title_of(node(first.target)), text_of(first.value), shape_of(first.value), text_of(first.target),
                     shape);
  }
  if (runtime::count_elems(shape) == 0) return;
  std::vector<Array> aside;  // in place of results that other elements are still read from
  for (Array& result : operands.results) {
    const bool disturbed =
        std::ranges::any_of(operands.inputs, [&](const NodeValue& v) { return disturbs(result, v, shape); });
    aside.push_back(
        disturbed ? std::exchange(result, runtime::make_array(place_.backend, shape, result.dtype(), place_.queue))
                  : Array());
  }
  const bool joins =
      std::ranges::any_of(operands.inputs, [](const NodeValue& v) { return v.kind == NodeValue::Kind::joined; });
  joins ? launch_boxes(kernel, map, operands) : launch_box(kernel, map, operands, false);
  for (size_t k = 0; k < aside.size(); ++k) {
    if (aside[k].valid()) copy_array(operands.results[k], aside[k]);
  }
}

void PlanRunner::launch_box(uint32_t kernel, const array::MapKernel& map, const MapOperands& box, bool keeps_axes) {
  std::vector<Operand> operands;
  for (const Array& result : box.results) operands.push_back(runtime::operand_of({}, result));
  std::vector<ElementwiseInput> arguments;
  for (const NodeValue& v : box.inputs) {
    const bool is_scalar = v.kind == NodeValue::Kind::scalar;
    arguments.push_back({is_scalar ? &v.scalar : nullptr, v.kind == NodeValue::Kind::index});
    if (!is_scalar) operands.push_back(operand_of(v));
  }
  const bool is_host = place_.backend->is_host();
  ElementwiseUse use = is_last_launch(kernel) ? stored_for_good(is_host, map.elems_in_group)
                                              : ElementwiseUse{is_host, map.elems_in_group};
  use.keeps_axes = keeps_axes;
  const ElementwiseLaunch planned(box.shape, operands, std::move(arguments), use);
  LaunchReport one{.signature = report_.signature};
  const LoadedVariant& loaded = load_variant(function_, planned.form(), place_.backend, one, kernel);
  sum_up(report_, one);
  const LaunchConfig config = planned.cover(function_.title, loaded.kernel->resources().max_threads_per_block);
  const std::vector<std::byte> params =
      runtime::fill_params(*loaded.artifact, [&](const ParamSlot& slot) { return planned.slot_value(slot); });
  place_.backend->check_launch(*loaded.kernel, config);
  for (const NodeValue& v : box.inputs) {
    if (v.kind == NodeValue::Kind::array && v.array.buffer()) v.array.buffer()->use_on(place_.queue);
  }
  for (const Array& result : box.results) result.buffer()->use_on(place_.queue);
  report_.run_ms += give_to_device(place_, *loaded.kernel, config, params, nullptr);
}

/// Nothing of the plan reads what it stores.
bool PlanRunner::is_last_launch(uint32_t kernel) const {
  const auto last = std::ranges::find_if(plan_.steps.rbegin(), plan_.steps.rend(), [](const array::Step& step) {
    return !std::holds_alternative<array::FreeStep>(step.kind) && !std::holds_alternative<array::EvalStep>(step.kind) &&
           !std::holds_alternative<array::ReturnStep>(step.kind);
  });
  if (last == plan_.steps.rend()) return false;
  const auto* launch = std::get_if<array::LaunchStep>(&last->kind);
  return launch != nullptr && launch->kernel == kernel;
}

void PlanRunner::give(uint32_t kernel, const kernel::CallForm& form, Dim3 grid, Dim3 block,
                      std::span<const KernelValue> values) {
  LaunchReport one{.signature = report_.signature};
  const LoadedVariant& loaded = load_variant(function_, form, place_.backend, one, kernel);
  sum_up(report_, one);
  const LaunchConfig config{grid, block};
  place_.backend->check_launch(*loaded.kernel, config);
  const std::vector<std::byte> params = runtime::fill_params(
      *loaded.artifact, [&](const ParamSlot& slot) { return value_at(values[slot.argument], slot); });
  report_.run_ms += give_to_device(place_, *loaded.kernel, config, params, nullptr);
}

void PlanRunner::launch_rows(uint32_t kernel, const array::RowsKernel& rows) {
  const std::vector<int64_t> whole = shape_of(rows.domain), shape = in_window(whole);
  int64_t count_inner = 1, count_outer = 1;
  for (size_t k = 0; k < shape.size(); ++k) (rows.folded[k] ? count_inner : count_outer) *= shape[k];
  // An element beside arrays that turn out to be larger is none of the rows.
  const bool others = std::ranges::any_of(
      rows.results, [&](const array::Result& r) { return r.of_elements && shape_of(r.value) != whole; });
  if (!rows.in_steps.empty() && (others || !runtime::rows_fit(count_inner))) {
    return launch_in_steps(rows, whole, !others);
  }
  for (const NodeId id : rows.folds) {
    const auto& fold = std::get<array::Fold>(node(id).kind);
    if (!fold.needs_elements || count_inner != 0 || count_outer == 0) continue;
    const bool has_initial = fold.name.find("arg") == std::string::npos;
    fail(ErrorCode::argument, "{}: {} of an array of shape {}, which has no elements along the axes to fold{}",
         title_of(node(id)), fold.name, runtime::tuple_text(shape), has_initial ? "; give initial=" : "");
  }
  std::vector<NodeValue> operands;
  for (const NodeId o : rows.operands) operands.push_back(in_window(in_memory_value(o)));
  std::vector<RowTarget> targets;
  for (const array::Result& r : rows.results) {
    const Array target = target_of(r, shape_of(r.value));
    targets.push_back(
        {r.of_elements ? in_window(NodeValue::of(target)).array : rows_in_window(target, whole), r.of_elements});
  }
  RowLaunches launches(rows, shape, operands, targets, *place_.backend, place_.queue);
  launches.run([&](const kernel::RowsForm& form, Dim3 grid, Dim3 block, std::span<const KernelValue> values) {
    give(kernel, form, grid, block, values);
  });
}

/// Whether the device's library is to do this product; throws Error(argument) where it must and cannot.
bool PlanRunner::wants_library(const array::ContractLaunch& contract) const {
  if (program_.blas == sema::BlasUse::never) return false;
  const DType dtype = contract.contract.dtype;
  const bool knows = runtime::libraries_multiply(dtype);
  const bool is_there = !place_.backend->product_library().empty();
  if ((knows && is_there) || program_.blas == sema::BlasUse::if_there) return knows && is_there;
  const NodeTitle title = title_of(node(contract.node));
  if (!knows) {
    fail(ErrorCode::argument,
         "{}: blas=\"require\", but a BLAS library multiplies f4, f8, c8 and c16, and this product is of {}", title,
         name(dtype));
  }
  fail(ErrorCode::argument,
       "{}: blas=\"require\", but {} has no BLAS library{}; blas=\"auto\" uses one where there is one", title,
       place_.backend->name(),
       place_.backend->is_host() ? " (looked for libopenblas.so.0, then a fast libblas.so.3; JITC_BLAS names another)"
                                 : "");
}

void PlanRunner::launch_contract(uint32_t kernel, const array::ContractLaunch& contract) {
  const std::vector<int64_t> shape = shape_of(contract.node);
  const bool grows =
      std::ranges::any_of(contract.results, [&](const array::Result& r) { return shape_of(r.value) != shape; });
  const bool library = wants_library(contract);
  if (grows || (library && !contract.in_steps.empty())) {
    JITC_CHECK(!contract.in_steps.empty(), "a result that is larger than its product");
    for (const uint32_t step : contract.in_steps) launch(step);
    return;
  }
  std::vector<Array> targets;
  for (const array::Result& r : contract.results) targets.push_back(target_of(r, shape_of(r.value)));
  const auto& c = std::get<array::Contract>(node(contract.node).kind);
  ContractOperands operands;
  for (const NodeId o : contract.a_operands) operands.a.push_back(in_memory_value(o));
  for (const NodeId o : contract.b_operands) operands.b.push_back(in_memory_value(o));
  for (const NodeId o : contract.epilogue_operands) operands.epilogue.push_back(in_memory_value(o));
  ContractLaunches launches(c, contract, shape_of(c.a), shape_of(c.b), operands, targets, place_);
  if (library && launches.run_by_library()) return;
  launches.run([&](const kernel::ContractForm& form, Dim3 grid, Dim3 block, std::span<const KernelValue> values) {
    give(kernel, form, grid, block, values);
  });
}

}  // namespace jitc::engine
