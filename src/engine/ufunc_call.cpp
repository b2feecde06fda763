// From a call of a ufunc with arrays and scalars to the array that it returns.
#include <algorithm>
#include <utility>

#include "runtime/common/buffer.hpp"
#include "runtime/common/call_shapes.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"
#include "src/engine/stopwatch.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;
using runtime::tuple_text;

constexpr uint32_t kBlock = 256;
constexpr int64_t kMaxBlocks = INT32_MAX;

Array make_array(const std::shared_ptr<runtime::Backend>& backend, const std::vector<int64_t>& shape, DType dtype) {
  const auto size = static_cast<size_t>(runtime::checked_size_bytes(shape, dtype));
  return {std::make_shared<runtime::Buffer>(backend, size), dtype, shape,
          runtime::c_strides(shape, jitc::size_bytes(dtype)), 0};
}

/// Elements of `from` into `to`, through the host: shapes are equal, the strides may be any.
void copy_elements(const Array& from, const Array& to) {
  std::vector<std::byte> host(static_cast<size_t>(from.size_bytes()));
  from.copy_to_host(host.data(), host.size());
  to.copy_from_host(host.data(), host.size());
}

/// The same elements as a C-contiguous array of rank 1; a copy where they do not lie so.
Array flat(const Array& array) {
  if (array.is_c_contiguous()) return array.reshape({array.size()});
  const Array copy = make_array(array.buffer()->backend(), array.shape(), array.dtype());
  copy_elements(array, copy);
  return copy.reshape({array.size()});
}

LaunchConfig cover(const FunctionState& function, int64_t count_elems) {
  const int64_t blocks = (count_elems + kBlock - 1) / kBlock;
  if (blocks > kMaxBlocks) {
    fail(ErrorCode::launch, "{}: a result of {} elements is more than one launch covers", function.title(),
         count_elems);
  }
  return {{static_cast<uint32_t>(blocks)}, {kBlock}};
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
Array target_of(const Array& out, std::span<const Argument> flat_args) {
  if (out.is_c_contiguous() && runtime::may_store_directly(out, flat_args)) return out;
  return make_array(out.buffer()->backend(), out.shape(), out.dtype());
}

/// All of a call but the choice of the signature.
CallReport run(const FunctionState& function, const Resolution& call, const Array* given_out) {
  const pipeline::KernelVariant& variant = variant_at(function, call.signature);
  const std::span<const ArgumentInfo> infos = variant.strided.arguments;
  const std::vector<int64_t> shape = runtime::elementwise_shape(function.title(), function.group->params, call.args);
  std::vector<Argument> located = call.args;
  if (given_out != nullptr) {
    check_out(function, variant, *given_out, shape);
    located.emplace_back(*given_out);
  }
  const std::shared_ptr<runtime::Backend> backend = backend_of(function, infos, located);
  CallReport report{given_out != nullptr ? *given_out : make_array(backend, shape, infos.back().dtype), {}};
  report.launch.signature = call.signature;
  report.launch.worker_threads = backend->worker_threads();
  if (report.result.size() == 0) return report;

  kernel::UfuncForm form;
  std::vector<Argument> args;
  for (const Argument& arg : call.args) {
    const Array* array = std::get_if<Array>(&arg.value());
    form.is_array.push_back(array != nullptr);
    args.push_back(array != nullptr ? Argument(flat(*array)) : arg);
  }
  const Array target = target_of(report.result, args);
  args.emplace_back(target.reshape({target.size()}));

  const LaunchConfig config = cover(function, target.size());
  const LoadedVariant& loaded = load_variant(function, form, backend, report.launch);
  const std::vector<std::byte> params = runtime::pack_params(*loaded.artifact, args);
  const Stopwatch watch;
  backend->launch(*loaded.kernel, config, params);
  report.launch.run_ms = watch.ms();
  if (target.data() != report.result.data()) copy_elements(target, report.result);
  return report;
}

}  // namespace

CallReport call(const Function& handle, const std::vector<Argument>& args, const Array* out) {
  return guarded([&] {
    const FunctionState& function = Access::state(handle);
    if (!function.is_ufunc()) {
      fail(ErrorCode::argument,
           "'{}' is a kernel and returns nothing: run it with launch({{.grid = …, .block = …}}, …)",
           function.group->name);
    }
    return run(function, choose_signature(function, args), out);
  });
}

}  // namespace jitc::engine
