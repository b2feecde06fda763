// From a call of a ufunc with arrays and scalars to the arrays that it returns.
#include <utility>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/array_call.hpp"
#include "src/engine/elementwise_launch.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

namespace {

using runtime::Operand;

ElementwiseLaunch plan_call(const ArrayCall& call, std::span<const Operand> inputs, std::span<const int64_t> shape) {
  std::vector<Operand> operands;
  operands.reserve(call.targets().size() + inputs.size());
  for (const Array& target : call.targets()) operands.push_back(runtime::operand_of({}, target));
  operands.insert(operands.end(), inputs.begin(), inputs.end());
  std::vector<ElementwiseInput> arguments;
  arguments.reserve(call.inputs().size());
  for (const Argument& input : call.inputs()) arguments.push_back({std::get_if<Scalar>(&input.value()), false});
  return {shape, operands, std::move(arguments),
          stored_for_good(call.backend().is_host(), variant_at(call.function(), call.signature()).elems_in_group)};
}

void launch(const ArrayCall& call, const ElementwiseLaunch& planned, LaunchReport& report, const LaunchEvents* events) {
  const Place& place = call.place();
  const LoadedVariant& loaded = load_variant(call.function(), planned.form(), place.backend, report);
  const LaunchConfig config = planned.cover(call.function().title, loaded.kernel->resources().max_threads_per_block);
  const std::vector<std::byte> params =
      runtime::fill_params(*loaded.artifact, [&](const ParamSlot& slot) { return planned.slot_value(slot); });
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
    launch(call, plan_call(call, inputs, shape), report.launch, events);
  }
  report.results = call.finish();
  return report;
}

}  // namespace jitc::engine
