#include "src/engine/fold_call.hpp"

#include <algorithm>

#include "runtime/common/error.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/scalar_fit.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;

/// Nothing where the function is not one of two values of a type that gives a third one of it.
bool folds(const FunctionState& function, size_t signature, DType dtype) {
  const std::span<const ArgumentInfo> all = variant_at(function, signature).strided.arguments;
  return all.size() == 3 && std::ranges::all_of(all, [&](const ArgumentInfo& info) { return info.dtype == dtype; });
}

[[noreturn]] void fail_unfit(const FunctionState& function, DType dtype, std::string_view method) {
  std::string lines;
  const size_t count = function.signatures.size();
  for (size_t i = 0; i < count; ++i) lines += "\n  " + variant_at(function, i).signature;
  fail(ErrorCode::argument,
       "{}: an array of {} needs the signature {}({}, {}), with one type for both values and the result; those of {} "
       "are{}",
       method_title(function, method), name(dtype), name(dtype), name(dtype), name(dtype), function.title, lines);
}

}  // namespace

void sum_up(LaunchReport& sum, const LaunchReport& one) {
  sum.compiled = sum.compiled || one.compiled;
  sum.compile_ms += one.compile_ms;
  sum.load_ms += one.load_ms;
  sum.emit_times.emit_ms += one.emit_times.emit_ms;
  sum.emit_times.link_math_ms += one.emit_times.link_math_ms;
  sum.emit_times.optimize_ms += one.emit_times.optimize_ms;
  sum.emit_times.machine_ms += one.emit_times.machine_ms;
  sum.emit_times.found_ms += one.emit_times.found_ms;
}

uint64_t value_at(const KernelValue& value, const ParamSlot& slot) {
  if (const auto* scalar = std::get_if<Scalar>(&value)) return runtime::scalar_bits(*scalar, slot);
  const KernelArray& array = std::get<KernelArray>(value);
  switch (slot.part) {
    case ParamSlot::Part::data: return array.address;
    case ParamSlot::Part::extent: return static_cast<uint64_t>(array.extents[slot.axis]);
    case ParamSlot::Part::stride: return static_cast<uint64_t>(array.strides_bytes[slot.axis]);
    case ParamSlot::Part::scalar: break;
  }
  return 0;
}

std::string method_title(const FunctionState& function, std::string_view method) {
  return function.is_reduction() ? function.title : fmt::format("{}.{}", function.group->name, method);
}

size_t fold_signature(const FunctionState& function, DType dtype, std::string_view method) {
  if (!function.is_ufunc()) {
    fail(ErrorCode::argument, "{} has no {}: that is what ufuncs of two values have", function.title, method);
  }
  if (function.group->params.size() != 2) {
    fail(ErrorCode::argument, "{} has no {}: that is what ufuncs of two values have, and it takes {}", function.title,
         method, function.group->params.size());
  }
  size_t found = function.signatures.size();
  if (function.group->is_typed_by_calls()) {
    const std::vector<Argument> two{Scalar{dtype, 0, 0}, Scalar{dtype, 0, 0}};
    found = choose_signature(function, two).signature;
    if (!folds(function, found, dtype)) fail_unfit(function, dtype, method);
  }
  for (size_t i = 0; i < function.written.size() && found == function.written.size(); ++i) {
    if (folds(function, i, dtype)) found = i;
  }
  if (found == function.signatures.size()) fail_unfit(function, dtype, method);
  return found;
}

DType array_dtype(const std::string& title, std::string_view name, const Argument& argument) {
  if (const auto* host = std::get_if<HostView>(&argument.value())) return host->dtype();
  const auto* array = std::get_if<Array>(&argument.value());
  if (array == nullptr) fail(ErrorCode::argument, "{}: {} is a scalar, and must be an array", title, name);
  if (!array->valid()) fail(ErrorCode::argument, "{}: {} is an array that was never allocated", title, name);
  return array->dtype();
}

const std::vector<int64_t>& array_shape(const Argument& argument) {
  const auto* host = std::get_if<HostView>(&argument.value());
  return host != nullptr ? host->shape() : std::get<Array>(argument.value()).shape();
}

Scalar scalar_of(const std::string& title, std::string_view name, const Argument& argument, DType dtype) {
  const auto* scalar = std::get_if<Scalar>(&argument.value());
  if (scalar == nullptr) fail(ErrorCode::argument, "{}: {} is an array, and must be a scalar", title, name);
  const auto adopted = adopt_scalar(*scalar, dtype);
  if (!adopted) {
    fail(ErrorCode::argument, "{}: {} is {} {}, which is no value of {}", title, name, jitc::name(scalar->dtype),
         value_text(*scalar), jitc::name(dtype));
  }
  return *adopted;
}

FormLaunches::FormLaunches(const ArrayCall& call, LaunchReport& report) : call_(call), report_(report) {
  report_.signature = call.signature();
  report_.worker_threads = call.backend().worker_threads();
}

void FormLaunches::add(const kernel::CallForm& form, Dim3 grid, Dim3 block, std::span<const KernelValue> values) {
  LaunchReport one{.signature = call_.signature()};
  const LoadedVariant& loaded = load_variant(call_.function(), form, call_.place().backend, one);
  sum_up(report_, one);
  const LaunchConfig config{grid, block};
  call_.backend().check_launch(*loaded.kernel, config);
  const auto value_of = [&](const ParamSlot& slot) { return value_at(values[slot.argument], slot); };
  launches_.push_back({&loaded, config, runtime::fill_params(*loaded.artifact, value_of)});
}

void FormLaunches::run(const LaunchEvents* events) {
  const Stream stream = Stream::of_queue(call_.place().queue);
  use_arrays(call_.kernel_arguments(), call_.place().queue);
  if (events != nullptr) events->begin.record(stream);
  for (const One& one : launches_) {
    report_.run_ms += give_to_device(call_.place(), *one.loaded->kernel, one.config, one.params, nullptr);
  }
  if (events != nullptr) events->end.record(stream);
}

}  // namespace jitc::engine
