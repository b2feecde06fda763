// From a call of a ufunc with arrays and scalars to the arrays that it returns.
#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/elementwise_plan.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/array_call.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

namespace {

using kernel::ElementwiseForm;
using kernel::Walk;
using runtime::ElementwisePlan;
using runtime::fail;
using runtime::Operand;

constexpr size_t kNoOperand = ~size_t{0};

/// A call whose shapes were found to fit, as its kernel sees it.
struct PlannedCall {
  const std::vector<Argument>& inputs;
  size_t result_count = 0;
  ElementwisePlan plan;          ///< of the results, and then of the inputs that are arrays
  std::vector<size_t> operands;  ///< by argument of the kernel, inputs first: its place in the plan; of a scalar none
  ElementwiseForm form = {};
  int64_t shift = 0;  ///< of a form with groups: how many elements lie before the first, up to an aligned address
};

PlannedCall plan_call(const ArrayCall& call, std::span<const Operand> inputs, std::span<const int64_t> shape) {
  PlannedCall out{call.inputs(), call.targets().size(), {}, {}};
  std::vector<Operand> operands;
  operands.reserve(out.result_count + inputs.size());
  for (const Array& target : call.targets()) operands.push_back(runtime::operand_of({}, target));
  operands.insert(operands.end(), inputs.begin(), inputs.end());
  out.plan = runtime::plan_elementwise(shape, operands);
  size_t next = out.result_count;
  for (const Argument& input : out.inputs) {
    out.operands.push_back(std::holds_alternative<Array>(input.value()) ? next++ : kNoOperand);
  }
  for (size_t i = 0; i < out.result_count; ++i) out.operands.push_back(i);
  return out;
}

Walk walk_of(const PlannedCall& call, size_t argument) {
  const size_t operand = call.operands[argument];
  if (operand == kNoOperand) return Walk::scalar;
  const int64_t stride = call.plan.inner_stride(operand);
  if (stride == 0) return Walk::same;
  return stride == static_cast<int64_t>(call.plan.elem_bytes[operand]) ? Walk::next : Walk::strided;
}

/// Wide loads and narrow indices are of use on a GPU alone: the CPU's rows of threads are vectors already, and its
/// addresses of 64 bits cost nothing.
void choose_form(PlannedCall& call, bool is_host, uint8_t elems_in_group) {
  ElementwiseForm& form = call.form;
  form.rank = static_cast<uint8_t>(call.plan.rank());
  for (size_t i = 0; i < call.operands.size(); ++i) {
    (i < call.inputs.size() ? form.params : form.results).push_back(walk_of(call, i));
  }
  if (is_host) return;
  form.narrow = call.plan.is_narrow;
  if (elems_in_group < 2 || call.plan.count_elems < elems_in_group) return;
  const std::optional<int64_t> shift = runtime::group_shift(call.plan, elems_in_group);
  if (!shift) return;
  form.elems_per_thread = elems_in_group;
  call.shift = *shift;
}

/// What the slot of the kernel's parameter block holds. Behind the results comes one scalar: where groups begin.
uint64_t slot_value(const PlannedCall& call, const ParamSlot& slot) {
  const ElementwisePlan& plan = call.plan;
  if (slot.part == ParamSlot::Part::scalar) {
    if (slot.argument == call.operands.size()) return static_cast<uint64_t>(call.shift);
    return runtime::scalar_bits(std::get<Scalar>(call.inputs[slot.argument].value()), slot);
  }
  if (slot.part == ParamSlot::Part::extent) return static_cast<uint64_t>(plan.extents[slot.axis] + call.shift);
  const size_t operand = call.operands[slot.argument];
  if (slot.part == ParamSlot::Part::stride) return static_cast<uint64_t>(plan.stride(operand, slot.axis));
  const bool stands_still = plan.inner_stride(operand) == 0;
  return plan.addresses[operand] -
         (stands_still ? 0 : static_cast<uint64_t>(call.shift) * static_cast<uint64_t>(plan.elem_bytes[operand]));
}

LaunchConfig cover(const FunctionState& function, const PlannedCall& call, bool is_host, uint32_t kernel_limit) {
  // Few large blocks on the CPU, where each is a call; on a GPU enough small ones to fill it.
  const uint32_t wanted = is_host ? 1024 : 256;
  const uint32_t block = std::clamp(kernel_limit, 1U, wanted);
  const int64_t group = call.form.elems_per_thread;
  const auto spread = call.plan.rank() == 1
                          ? runtime::spread_line((call.plan.count_elems + call.shift + group - 1) / group, block)
                          : runtime::spread_rows(call.plan, std::bit_floor(block));
  if (!spread) {
    fail(ErrorCode::launch, "{}: a result of {} elements is more than one launch covers", function.title,
         call.plan.count_elems);
  }
  return {spread->grid, spread->block};
}

void launch(const ArrayCall& call, const PlannedCall& planned, LaunchReport& report, const LaunchEvents* events) {
  const Place& place = call.place();
  const LoadedVariant& loaded = load_variant(call.function(), planned.form, place.backend, report);
  const LaunchConfig config =
      cover(call.function(), planned, place.backend->is_host(), loaded.kernel->resources().max_threads_per_block);
  const std::vector<std::byte> params =
      runtime::fill_params(*loaded.artifact, [&](const ParamSlot& slot) { return slot_value(planned, slot); });
  place.backend->check_launch(*loaded.kernel, config);
  use_arrays(call.inputs(), place.queue);
  for (const Array& target : call.targets()) target.buffer()->use_on(place.queue);
  report.run_ms = give_to_device(place, *loaded.kernel, config, params, events);
}

}  // namespace

CallReport call_ufunc(const FunctionState& function, const std::vector<Argument>& given, const CallOptions& options,
                      const LaunchEvents* events) {
  ArrayCall call(function, given, options);
  const std::vector<Operand> inputs = call.input_operands();
  const std::vector<int64_t> shape = runtime::broadcast_shapes(function.title, inputs, call.given_operands());
  call.set_result_shapes(std::vector(call.result_count(), shape));
  CallReport report;
  report.launch.signature = call.signature();
  report.launch.worker_threads = call.backend().worker_threads();
  if (runtime::count_elems(shape) != 0) {
    call.choose_targets(&shape);
    PlannedCall planned = plan_call(call, inputs, shape);
    const bool is_host = call.backend().is_host();
    choose_form(planned, is_host, variant_at(function, call.signature()).elems_in_group);
    launch(call, planned, report.launch, events);
  }
  report.results = call.finish();
  return report;
}

}  // namespace jitc::engine
