// From an array to the values that its elements fold to: docs/design/reduction-tree.md.
#include <algorithm>

#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/common/reduce_plan.hpp"
#include "runtime/common/scalar_bytes.hpp"
#include "src/engine/fold_call.hpp"
#include "src/engine/scalar_fit.hpp"

namespace jitc::engine {

namespace {

using kernel::ReduceForm;
using runtime::fail;
using runtime::ReducePlan;

/// What is asked for, found to fit.
struct Request {
  std::string title;
  Argument array;
  DType dtype;
  std::vector<bool> folded;
  std::vector<int64_t> result_shape;
  std::optional<Scalar> initial;  ///< before the first element, in the array's type
  bool has_elements = true;       ///< to fold, for each result
};

/// The elements at the beginning of an array with one axis.
Argument first_elements(const Request& request, int64_t size) {
  const std::vector<int64_t>& shape = array_shape(request.array);
  if (shape.size() != 1) {
    fail(ErrorCode::argument, "{}: size is for arrays with one axis, not {}", request.title, shape.size());
  }
  if (size < 0 || size > shape[0]) {
    fail(ErrorCode::argument, "{}: size {} of an array of {} elements", request.title, size, shape[0]);
  }
  if (const auto* host = std::get_if<HostView>(&request.array.value())) {
    const void* const data = host->data();
    return HostView(data, host->dtype(), {size}, host->strides());
  }
  return std::get<Array>(request.array.value()).slice(0, 0, size);
}

/// What stands for the results of no elements at all.
std::optional<Scalar> identity_of(const FunctionState& function, const Request& request) {
  const auto& identity = function.group->identity;
  if (!identity) return std::nullopt;
  Scalar value = identity->is_float()  ? Scalar::of(identity->as_double())
                 : identity->is_bool() ? Scalar::of(identity->truthy())
                                       : Scalar{DType::i8, static_cast<uint64_t>(identity->as_int())};
  if (identity->is_int() && identity->as_int() > INT64_MAX) value.dtype = DType::u8;
  return scalar_of(request.title, "its identity", value, request.dtype);
}

void choose_axes(const FunctionState& function, const ReduceOptions& options, Request& request) {
  const std::vector<int64_t>& shape = array_shape(request.array);
  if (function.is_reduction() && (shape.size() != 1 || options.keepdims || options.axes != std::vector{0})) {
    fail(ErrorCode::argument, "{} takes an array with one axis{}; a ufunc's reduce() chooses among axes", request.title,
         shape.size() == 1 ? " and no axes or keepdims" : fmt::format(", not {}", shape.size()));
  }
  const int rank = static_cast<int>(shape.size());
  request.folded = options.all_axes ? std::vector<bool>(shape.size(), true)
                                    : runtime::folded_axes(request.title, options.axes, rank);
  request.result_shape = runtime::shape_without(shape, request.folded, options.keepdims);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (request.folded[axis] && shape[axis] == 0) request.has_elements = false;
  }
}

void choose_initial(const FunctionState& function, const ReduceOptions& options, Request& request) {
  if (options.initial) {
    request.initial = scalar_of(request.title, "initial", *options.initial, request.dtype);
  } else if (function.is_reduction()) {
    request.initial = Scalar{request.dtype, 0, 0};
  } else if (!request.has_elements) {
    request.initial = identity_of(function, request);
  }
  if (request.initial || request.has_elements || runtime::count_elems(request.result_shape) == 0) return;
  fail(ErrorCode::argument,
       "{}: an array of shape {} has no elements along the axes to fold, and {} has no identity: give an initial "
       "value, or an identity in the decorator (identity=0)",
       request.title, runtime::tuple_text(array_shape(request.array)), function.title);
}

Request check_request(const FunctionState& function, const Argument& array, const ReduceOptions& options) {
  Request out{method_title(function, "reduce"), array, DType::f8, {}, {}, {}, true};
  out.dtype = array_dtype(out.title, "array", array);
  if (options.size) out.array = first_elements(out, *options.size);
  choose_axes(function, options, out);
  choose_initial(function, options, out);
  return out;
}

/// A reduction stores to the first element of what it is given.
Argument first_element(const std::string& title, const Argument& out) {
  array_dtype(title, "out", out);
  const std::vector<int64_t>& shape = array_shape(out);
  if (runtime::count_elems(shape) == 0) fail(ErrorCode::argument, "{}: out has no elements", title);
  if (const auto* host = std::get_if<HostView>(&out.value())) {
    if (host->access() == HostAccess::in) {
      fail(ErrorCode::argument, "{}: out is host memory that is lent for reading alone (const, or jitc::in)", title);
    }
    const HostView writable = host->with(HostAccess::out);
    return HostView(static_cast<void*>(writable.data()), writable.dtype(), {}, {}, HostAccess::out);
  }
  Array array = std::get<Array>(out.value());
  while (array.rank() > 0) array = array[0];
  return array;
}

CallOptions call_options(const FunctionState& function, const Request& request, const ReduceOptions& options) {
  CallOptions out{.stream = options.stream};
  if (!options.out) return out;
  out.out.push_back(function.is_reduction() ? first_element(request.title, *options.out) : *options.out);
  return out;
}

/// The array and the result, as the kernel's arguments.
std::vector<ArgumentInfo> infos_of(const Request& request) {
  ArgumentInfo array{.name = "array", .dtype = request.dtype, .is_array = true, .read = true};
  array.rank = static_cast<int>(request.folded.size());
  ArgumentInfo out{.name = "out", .dtype = request.dtype, .is_array = true, .written = true};
  out.rank = static_cast<int>(request.result_shape.size());
  return {array, out};
}

/// Every element of the target, in the order of the call's stream; done when it returns.
void fill(const ArrayCall& call, const Array& target, const Scalar& value) {
  const std::array<std::byte, 16> bytes = runtime::scalar_bytes(value);
  const void* const data = bytes.data();
  const std::vector<int64_t> strides(target.shape().size(), 0);
  target.copy_from_host(HostView(data, value.dtype, target.shape(), strides), Stream::of_queue(call.place().queue));
  call.place().queue->synchronize();
}

/// The launches of one call: blocks of elements to partial results, and these again, until there is one block.
class Passes {
 public:
  Passes(const ArrayCall& call, const Request& request, FormLaunches& launches)
      : call_(call), request_(request), launches_(launches) {}

  /// The arrays of partial results, which the launches need.
  std::vector<Array> add() {
    const Array& array = std::get<Array>(call_.inputs()[0].value());
    ReducePlan plan = runtime::plan_reduction(runtime::operand_of("array", array), request_.folded,
                                              runtime::operand_of("out", call_.targets()[0]));
    while (plan.blocks() > 1) {
      const std::vector<int64_t> count{plan.blocks() * plan.count_outer()};
      partials_.push_back(runtime::make_array(call_.place().backend, count, request_.dtype, call_.place().queue));
      const auto address = reinterpret_cast<uintptr_t>(partials_.back().data());
      runtime::ReducePasses passes = runtime::split_reduction(plan, address, size_bytes(request_.dtype));
      launch(passes.first, std::nullopt);
      plan = std::move(passes.rest);
    }
    launch(plan, request_.initial);
    return std::move(partials_);
  }

 private:
  void launch(const ReducePlan& plan, const std::optional<Scalar>& initial) {
    const runtime::Backend& backend = call_.backend();
    const auto spread = runtime::spread_reduction(plan, backend.is_host(), backend.worker_threads());
    if (!spread) {
      fail(ErrorCode::launch, "{}: {} results of {} elements are more than one launch covers", request_.title,
           plan.count_outer(), plan.count_inner());
    }
    const ReduceForm form{static_cast<uint8_t>(plan.outer.size()),
                          static_cast<uint8_t>(plan.inner.size()),
                          spread->lanes,
                          spread->runs == 1,
                          spread->jobs_first,
                          initial.has_value()};
    std::vector<int64_t> extents = plan.outer;
    extents.insert(extents.end(), plan.inner.begin(), plan.inner.end());
    std::vector<int64_t> out_extents = plan.outer;
    out_extents.push_back(plan.blocks());
    std::vector<KernelValue> values{KernelArray{plan.source, std::move(extents), plan.source_strides_bytes},
                                    KernelArray{plan.result, std::move(out_extents), plan.result_strides_bytes}};
    if (initial) values.emplace_back(*initial);
    if (!form.one_run) values.emplace_back(Scalar::of(spread->runs));
    launches_.add(form, spread->grid, spread->block, values);
  }

  const ArrayCall& call_;
  const Request& request_;
  FormLaunches& launches_;
  std::vector<Array> partials_;
};

}  // namespace

CallReport reduce_call(const FunctionState& function, const Argument& array, const ReduceOptions& options,
                       const LaunchEvents* events) {
  const Request request = check_request(function, array, options);
  const std::vector<Argument> inputs{request.array};
  const size_t signature = function.is_reduction() ? choose_for(function, inputs).signature
                                                   : fold_signature(function, request.dtype, "reduce");
  ArrayCall call(function, inputs, call_options(function, request, options), signature, infos_of(request));
  call.set_result_shapes(std::span(&request.result_shape, 1));
  CallReport report;
  FormLaunches launches(call, report.launch);
  std::vector<Array> partials;
  if (runtime::count_elems(request.result_shape) != 0) {
    call.choose_targets(nullptr);
    if (request.has_elements) {
      partials = Passes(call, request, launches).add();
    } else {
      fill(call, call.targets()[0], *request.initial);
    }
  }
  launches.run(events);
  report.results = call.finish();
  return report;
}

}  // namespace jitc::engine
