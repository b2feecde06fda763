// From a call of a generalised ufunc with arrays to the arrays that it returns.
#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/elementwise_plan.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/core_extents.hpp"

namespace jitc::engine {

namespace {

using kernel::GufuncForm;
using runtime::ElementwisePlan;
using runtime::fail;
using runtime::Operand;

/// A call whose shapes were found to fit: what the kernel is given, results last.
struct PlannedCall {
  const sema::CoreLayout& layout;
  std::vector<Argument> args;
  ElementwisePlan plan;          ///< of the loop dimensions: the results, and then the arguments that are arrays
  std::vector<size_t> operands;  ///< by argument: its place in the plan; of a scalar none
  GufuncForm form;
};

constexpr size_t kNoOperand = ~size_t{0};

/// The type that the signature has for the parameter; null where that is a scalar.
const types::ArrayType* array_type(const TypedSignature& typed, size_t param) {
  const sema::TypedFunction& function = *typed.variant->scalar_function;
  return typed.module->types->as_array(function.vars[function.params[param]].type);
}

/// A scalar that the function takes as an array of one element becomes one.
void put_scalars_in_memory(const ArrayCall& call, std::vector<Argument>& args) {
  const TypedSignature& typed = signature_at(call.function(), call.signature());
  for (size_t i = 0; i < args.size(); ++i) {
    const auto* scalar = std::get_if<Scalar>(&args[i].value());
    if (scalar != nullptr && array_type(typed, i) != nullptr) args[i] = in_memory(*scalar, call.place());
  }
}

std::span<const int64_t> core_part(std::span<const int64_t> values, const sema::CoreShape& shape) {
  return values.last(shape.dims.size());
}

/// Cores of a declared order must have it: f4[::1] is C-contiguous.
void check_core_orders(const ArrayCall& call, const PlannedCall& planned) {
  const TypedSignature& typed = signature_at(call.function(), call.signature());
  const std::span<const ArgumentInfo> infos = typed.variant->strided.arguments;
  for (size_t i = 0; i < planned.args.size(); ++i) {
    const Array* array = std::get_if<Array>(&planned.args[i].value());
    const types::ArrayType* type = array_type(typed, i);
    if (array == nullptr || type == nullptr || type->layout == Layout::any) continue;
    const auto is_contiguous = type->layout == Layout::c ? runtime::is_c_contiguous : runtime::is_fortran_contiguous;
    const sema::CoreShape& core = planned.layout.shape(i);
    if (is_contiguous(core_part(array->shape(), core), core_part(array->strides(), core), size_bytes(type->dtype))) {
      continue;
    }
    fail(ErrorCode::argument,
         "{}: the core {} of '{}' must be {}-contiguous, as {} says: its shape is {}, its strides {}",
         call.function().title, to_string(core), infos[i].name, type->layout == Layout::c ? "C" : "Fortran",
         runtime::array_type_text(type->dtype, type->rank, type->layout), runtime::tuple_text(array->shape()),
         runtime::tuple_text(array->strides()));
  }
}

PlannedCall plan_call(const ArrayCall& call, std::span<const int64_t> loops) {
  PlannedCall out{*call.function().group->layout, call.kernel_arguments(), {}, {}, {}};
  put_scalars_in_memory(call, out.args);
  out.operands.assign(out.args.size(), kNoOperand);
  std::vector<Operand> operands;
  const auto add = [&](size_t i) {
    const Array* array = std::get_if<Array>(&out.args[i].value());
    if (array == nullptr) return;
    out.operands[i] = operands.size();
    operands.push_back(runtime::operand_of({}, *array, array->rank() - out.layout.shape(i).rank()));
  };
  const size_t input_count = out.layout.inputs.size();
  for (size_t i = input_count; i < out.args.size(); ++i) add(i);
  for (size_t i = 0; i < input_count; ++i) add(i);
  out.plan = runtime::plan_elementwise(loops, operands);
  return out;
}

bool has_contiguous_cores(const PlannedCall& call) {
  for (size_t i = 0; i < call.args.size(); ++i) {
    const Array* array = std::get_if<Array>(&call.args[i].value());
    if (array == nullptr) continue;
    const sema::CoreShape& core = call.layout.shape(i);
    if (!runtime::is_c_contiguous(core_part(array->shape(), core), core_part(array->strides(), core),
                                  size_bytes(array->dtype()))) {
      return false;
    }
  }
  return true;
}

/// Divisions of 64 bits cost on a GPU alone.
void choose_form(PlannedCall& call, bool is_host) {
  call.form.loop_rank = static_cast<uint8_t>(call.plan.rank());
  for (size_t i = 0; i < call.layout.inputs.size(); ++i) {
    call.form.is_scalar.push_back(call.operands[i] == kNoOperand);
  }
  call.form.contiguous = has_contiguous_cores(call);
  call.form.narrow = !is_host && call.plan.is_narrow;
}

/// What the slot of the kernel's parameter block holds. Loop axes come before those of the core.
uint64_t slot_value(const PlannedCall& call, const ParamSlot& slot) {
  const Argument::Value& value = call.args[slot.argument].value();
  if (slot.part == ParamSlot::Part::scalar) return runtime::scalar_bits(std::get<Scalar>(value), slot);
  const size_t operand = call.operands[slot.argument], loop_rank = call.plan.rank();
  const Array& array = std::get<Array>(value);
  const sema::CoreShape& core = call.layout.shape(slot.argument);
  const bool is_loop = slot.axis < loop_rank;
  switch (slot.part) {
    case ParamSlot::Part::data: return call.plan.addresses[operand];
    case ParamSlot::Part::extent:
      return static_cast<uint64_t>(is_loop ? call.plan.extents[slot.axis]
                                           : core_part(array.shape(), core)[slot.axis - loop_rank]);
    case ParamSlot::Part::stride:
      return static_cast<uint64_t>(is_loop ? call.plan.stride(operand, slot.axis)
                                           : core_part(array.strides(), core)[slot.axis - loop_rank]);
    case ParamSlot::Part::scalar: break;
  }
  return 0;
}

/// A call of the function is much work for a thread, so blocks are small where there are few: a block is what one
/// thread of the CPU, or one multiprocessor, is given.
uint32_t block_size(const runtime::Backend& backend, int64_t count, uint32_t kernel_limit) {
  const int64_t units = backend.is_host() ? int64_t{backend.worker_threads()} * 8 : 128;
  const int64_t least = backend.is_host() ? 1 : 32;
  const int64_t wanted = std::clamp<int64_t>((count + units - 1) / units, least, 128);
  return std::min(std::bit_ceil(static_cast<uint32_t>(wanted)), std::bit_floor(std::max(kernel_limit, 1U)));
}

void launch(const ArrayCall& call, const PlannedCall& planned, LaunchReport& report, const LaunchEvents* events) {
  const Place& place = call.place();
  const LoadedVariant& loaded = load_variant(call.function(), planned.form, place.backend, report);
  const int64_t count = planned.plan.count_elems;
  const uint32_t block = block_size(*place.backend, count, loaded.kernel->resources().max_threads_per_block);
  const auto spread = runtime::spread_line(count, block);
  if (!spread) {
    fail(ErrorCode::launch, "{}: {} calls of its function are more than one launch covers", call.function().title,
         count);
  }
  const LaunchConfig config{spread->grid, spread->block};
  const std::vector<std::byte> params =
      runtime::fill_params(*loaded.artifact, [&](const ParamSlot& slot) { return slot_value(planned, slot); });
  place.backend->check_launch(*loaded.kernel, config);
  use_arrays(planned.args, place.queue);
  report.run_ms = give_to_device(place, *loaded.kernel, config, params, events);
}

}  // namespace

CallReport call_gufunc(const FunctionState& function, const std::vector<Argument>& given, const CallOptions& options,
                       const LaunchEvents* events) {
  ArrayCall call(function, given, options);
  const sema::CoreLayout& layout = *function.group->layout;
  const CoreExtents extents(call);
  const std::vector<int64_t> loops =
      runtime::broadcast_shapes(function.title + ", loop dimensions", call.input_operands(core_ranks(layout.inputs)),
                                call.given_operands(core_ranks(layout.outputs)));
  call.set_result_shapes(extents.result_shapes(loops));
  CallReport report;
  report.launch.signature = call.signature();
  report.launch.worker_threads = call.backend().worker_threads();
  if (runtime::count_elems(loops) != 0) {
    call.choose_targets(nullptr);
    call.keep_contents();
    PlannedCall planned = plan_call(call, loops);
    check_core_orders(call, planned);
    choose_form(planned, call.backend().is_host());
    launch(call, planned, report.launch, events);
  }
  report.results = call.finish();
  return report;
}

}  // namespace jitc::engine
