// From a call of a ufunc with arrays and scalars to the arrays that it returns.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/elementwise_plan.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "src/engine/array_call.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

namespace {

using kernel::ElementwiseForm;
using kernel::Walk;
using runtime::ElementwisePlan;
using runtime::fail;
using runtime::Operand;

/// A call whose shapes were found to fit: what the kernel is given, results last.
struct PlannedCall {
  std::vector<Argument> args;
  size_t result_count = 0;
  ElementwisePlan plan;          ///< of the results, and then of the arguments that are arrays
  std::vector<size_t> operands;  ///< by argument: its place in the plan; of a scalar none
  ElementwiseForm form;
  int64_t shift = 0;  ///< of a form with groups: how many elements lie before the first, up to an aligned address
};

constexpr size_t kNoOperand = ~size_t{0};

Walk walk_of(const ElementwisePlan& plan, size_t operand) {
  const int64_t stride = plan.inner_stride(operand);
  if (stride == 0) return Walk::same;
  return stride == static_cast<int64_t>(plan.elem_bytes[operand]) ? Walk::next : Walk::strided;
}

/// Wide loads and narrow indices are of use on a GPU alone: the CPU's rows of threads are vectors already, and its
/// addresses of 64 bits cost nothing.
void choose_form(const FunctionState& function, size_t signature, bool is_host, PlannedCall& call) {
  ElementwiseForm& form = call.form;
  form.rank = static_cast<uint8_t>(call.plan.rank());
  for (size_t i = 0; i < call.args.size(); ++i) {
    const Walk walk = call.operands[i] == kNoOperand ? Walk::scalar : walk_of(call.plan, call.operands[i]);
    (i + call.result_count < call.args.size() ? form.params : form.results).push_back(walk);
  }
  if (is_host) return;
  form.narrow = call.plan.is_narrow;
  const uint8_t group = signature_at(function, signature).variant->elems_in_group;
  const std::optional<int64_t> shift = group > 1 ? runtime::group_shift(call.plan, group) : std::nullopt;
  if (!shift || call.plan.count_elems < group) return;
  form.elems_per_thread = group;
  call.shift = *shift;
}

PlannedCall plan_call(std::vector<Argument> args, size_t result_count, std::span<const int64_t> shape) {
  PlannedCall out{std::move(args), result_count, {}, {}, {}, 0};
  std::vector<Operand> operands;
  const size_t param_count = out.args.size() - result_count;
  const auto add = [&](size_t i) {
    const Array* array = std::get_if<Array>(&out.args[i].value());
    out.operands[i] = array == nullptr ? kNoOperand : operands.size();
    if (array != nullptr) operands.push_back(runtime::operand_of({}, *array));
  };
  out.operands.resize(out.args.size());
  for (size_t i = param_count; i < out.args.size(); ++i) add(i);
  for (size_t i = 0; i < param_count; ++i) add(i);
  out.plan = runtime::plan_elementwise(shape, operands);
  return out;
}

/// What the slot of the kernel's parameter block holds.
uint64_t slot_value(const PlannedCall& call, const ParamSlot& slot) {
  if (slot.part == ParamSlot::Part::scalar) {
    if (slot.argument == call.args.size()) return static_cast<uint64_t>(call.shift);
    const Scalar& scalar = std::get<Scalar>(call.args[slot.argument].value());
    return slot.axis == 0 ? scalar.bits : scalar.imag_bits;
  }
  const size_t operand = call.operands[slot.argument];
  switch (slot.part) {
    case ParamSlot::Part::data: {
      const uint64_t behind =
          call.plan.inner_stride(operand) == 0 ? 0 : static_cast<uint64_t>(call.shift) * call.plan.elem_bytes[operand];
      return call.plan.addresses[operand] - behind;
    }
    case ParamSlot::Part::extent: return static_cast<uint64_t>(call.plan.extents[slot.axis] + call.shift);
    case ParamSlot::Part::stride: return static_cast<uint64_t>(call.plan.stride(operand, slot.axis));
    case ParamSlot::Part::scalar: break;
  }
  return 0;
}

std::vector<std::byte> pack(const Artifact& artifact, const PlannedCall& call) {
  std::vector<std::byte> block(artifact.params_size_bytes);
  for (const ParamSlot& slot : artifact.params) {
    const uint64_t value = slot_value(call, slot);
    std::memcpy(block.data() + slot.offset_bytes, &value, slot.size_bytes);
  }
  return block;
}

LaunchConfig cover(const FunctionState& function, const PlannedCall& call, bool is_host, uint32_t kernel_limit) {
  // Few large blocks on the CPU, where each is a call; on a GPU enough small ones to fill it.
  const uint32_t wanted = is_host ? 1024 : 256;
  const uint32_t block = std::bit_floor(std::clamp(kernel_limit, 1U, wanted));
  const int64_t group = call.form.elems_per_thread;
  const auto spread = call.plan.rank() == 1
                          ? runtime::spread_line((call.plan.count_elems + call.shift + group - 1) / group, block)
                          : runtime::spread_rows(call.plan, block);
  if (!spread) {
    fail(ErrorCode::launch, "{}: a result of {} elements is more than one launch covers", function.title(),
         call.plan.count_elems);
  }
  return {spread->grid, spread->block};
}

void launch(const FunctionState& function, const PlannedCall& call, const Place& place, LaunchReport& report,
            const LaunchEvents* events) {
  const bool is_host = place.backend->is_host();
  const LoadedVariant& loaded = load_variant(function, call.form, place.backend, report);
  const LaunchConfig config = cover(function, call, is_host, loaded.kernel->resources().max_threads_per_block);
  const std::vector<std::byte> params = pack(*loaded.artifact, call);
  place.backend->check_launch(*loaded.kernel, config);
  use_arrays(call.args, place.queue);
  report.run_ms = give_to_device(place, *loaded.kernel, config, params, events);
}

}  // namespace

CallReport call_ufunc(const FunctionState& function, const std::vector<Argument>& given, const CallOptions& options,
                      const LaunchEvents* events) {
  ArrayCall call(function, given, options);
  const std::vector<int64_t> shape =
      runtime::broadcast_shapes(function.title(), call.input_operands(), call.given_operands());
  const size_t result_count = results_of(function, call.signature()).size();
  call.set_result_shapes(std::vector(result_count, shape));
  CallReport report;
  report.launch.signature = call.signature();
  report.launch.worker_threads = call.backend().worker_threads();
  if (runtime::count_elems(shape) != 0) {
    call.choose_targets(&shape);
    PlannedCall planned = plan_call(call.kernel_arguments(), result_count, shape);
    choose_form(function, call.signature(), call.backend().is_host(), planned);
    launch(function, planned, call.place(), report.launch, events);
  }
  report.results = call.finish();
  return report;
}

}  // namespace jitc::engine
