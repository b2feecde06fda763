// From a call of a ufunc with arrays and scalars to the array that it returns.
#include <algorithm>
#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/call_shapes.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/host_arguments.hpp"
#include "runtime/common/launch_limits.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;
using runtime::tuple_text;

constexpr uint32_t kBlock = 256;

/// The same elements as a C-contiguous array of rank 1; a copy where they do not lie so.
Array flat(const Array& array, const Stream& stream) {
  const Array packed = array.is_c_contiguous() ? array : array.copy(stream);
  return packed.reshape({array.size()});
}

/// Smaller blocks where the kernel's registers leave no room for more.
LaunchConfig cover(const FunctionState& function, int64_t count_elems, uint32_t max_threads) {
  const uint32_t block = std::min(kBlock, std::max(max_threads, 1U));
  const std::optional<uint32_t> blocks = runtime::blocks_for(count_elems, block);
  if (!blocks) {
    fail(ErrorCode::launch, "{}: a result of {} elements is more than one launch covers", function.title(),
         count_elems);
  }
  return {{*blocks}, {block}};
}

void check_out(const FunctionState& function, const pipeline::KernelVariant& variant, const Array& out,
               const std::vector<int64_t>& shape) {
  if (!out.valid()) fail(ErrorCode::argument, "{}: out is an array that was never allocated", function.title());
  const DType returned = variant.strided.arguments.back().dtype;
  if (out.dtype() != returned) {
    fail(ErrorCode::argument, "{}: out is {}, but {} returns {}", function.title(), name(out.dtype()),
         variant.signature, name(returned));
  }
  if (out.shape() != shape) {
    fail(ErrorCode::argument, "{}: out has shape {}, the result has {}", function.title(), tuple_text(out.shape()),
         tuple_text(shape));
  }
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 2 || out.strides()[axis] != 0) continue;
    fail(ErrorCode::argument, "{}: out lies over itself: all its elements along axis {} are one", function.title(),
         axis);
  }
}

/// Where the kernel stores: `out` itself, or an array of its own that is copied afterwards.
Array target_of(const Array& out, std::span<const Argument> flat_args, const Place& place) {
  if (out.is_c_contiguous() && runtime::may_store_directly(out, flat_args)) return out;
  return runtime::make_array(place.backend, out.shape(), out.dtype(), place.queue);
}

/// All of a call but the choice of the signature.
CallReport run(const FunctionState& function, const Resolution& call, const Array* given_out, const Place& place,
               const LaunchEvents* events) {
  const pipeline::KernelVariant& variant = variant_at(function, call.signature);
  const std::span<const ArgumentInfo> infos = variant.strided.arguments;
  const std::vector<int64_t> shape = runtime::elementwise_shape(function.title(), function.group->params, call.args);
  if (given_out != nullptr) check_out(function, variant, *given_out, shape);
  const std::shared_ptr<runtime::Backend>& backend = place.backend;
  const Stream stream = Stream::of_queue(place.queue);
  CallReport report{
      given_out != nullptr ? *given_out : runtime::make_array(backend, shape, infos.back().dtype, place.queue), {}};
  report.launch.signature = call.signature;
  report.launch.worker_threads = backend->worker_threads();
  if (report.result.size() == 0) return report;

  kernel::UfuncForm form;
  std::vector<Argument> args;
  args.reserve(call.args.size() + 1);
  for (const Argument& arg : call.args) {
    const Array* array = std::get_if<Array>(&arg.value());
    form.is_array.push_back(array != nullptr);
    args.push_back(array != nullptr ? Argument(flat(*array, stream)) : arg);
  }
  const Array target = target_of(report.result, args, place);
  args.emplace_back(target.reshape({target.size()}));

  const LoadedVariant& loaded = load_variant(function, form, backend, report.launch);
  const LaunchConfig config = cover(function, target.size(), loaded.kernel->resources().max_threads_per_block);
  const std::vector<std::byte> params = runtime::pack_params(*loaded.artifact, args);
  backend->check_launch(*loaded.kernel, config);
  use_arrays(args, place.queue);
  report.launch.run_ms = give_to_device(place, *loaded.kernel, config, params, events);
  if (target.data() != report.result.data()) report.result.copy_from(target, stream);
  return report;
}

}  // namespace

CallReport call(const Function& handle, const std::vector<Argument>& given, const Array* out, const Stream& stream,
                const LaunchEvents* events) {
  return guarded([&] {
    const FunctionState& function = Access::state(handle);
    if (!function.is_ufunc()) {
      fail(ErrorCode::argument,
           "'{}' is a kernel and returns nothing: run it with launch({{.grid = …, .block = …}}, …)",
           function.group->name);
    }
    const Place place = place_of(function, given, stream, out);
    Resolution call = choose_for(function, given);
    runtime::HostArguments host(given, place.backend, place.queue);
    host.put_arrays(call.args);
    host.copy_in(variant_at(function, call.signature).strided.arguments, call.args);
    CallReport report = run(function, call, out, place, events);
    host.wait();
    return report;
  });
}

}  // namespace jitc::engine
