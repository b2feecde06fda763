// What a ufunc has besides its call, as the public API and the command line ask for it.
#include "runtime/common/broadcast.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "src/engine/fold_call.hpp"
#include "src/engine/guard.hpp"

namespace jitc::engine {

namespace {

size_t rank_of(const Argument& argument) {
  return std::holds_alternative<Scalar>(argument.value()) ? 0 : array_shape(argument).size();
}

/// With `count` axes of extent 1 behind its own, so that what has these axes broadcasts behind it.
Argument with_axes_behind(const Argument& argument, size_t count) {
  const auto longer = [&](std::vector<int64_t> values, int64_t value) {
    values.resize(values.size() + count, value);
    return values;
  };
  if (const auto* host = std::get_if<HostView>(&argument.value())) {
    const void* const data = host->data();
    return HostView(data, host->dtype(), longer(host->shape(), 1), longer(host->strides(), 0));
  }
  const auto* array = std::get_if<Array>(&argument.value());
  if (array == nullptr || !array->valid()) return argument;
  const int64_t offset = array->size() == 0 ? 0 : array->data() - array->buffer()->data();
  return Array(array->buffer(), array->dtype(), longer(array->shape(), 1), longer(array->strides(), 0), offset);
}

}  // namespace

size_t fold_signature(const Function& function, DType dtype, std::string_view method) {
  return guarded([&] { return fold_signature(Access::state(function), dtype, method); });
}

CallReport reduce(const Function& function, const Argument& array, const ReduceOptions& options,
                  const LaunchEvents* events) {
  return guarded([&] { return reduce_call(Access::state(function), array, options, events); });
}

CallReport accumulate(const Function& function, const Argument& array, int axis, const CallOptions& options,
                      const LaunchEvents* events) {
  return guarded([&] { return accumulate_call(Access::state(function), array, axis, options, events); });
}

CallReport outer(const Function& function, const Argument& a, const Argument& b, const CallOptions& options,
                 const LaunchEvents* events) {
  return guarded([&] {
    const FunctionState& state = Access::state(function);
    if (!state.is_ufunc() || state.group->params.size() != 2) {
      runtime::fail(ErrorCode::argument, "{} has no outer: that is what ufuncs of two values have", state.title);
    }
    const size_t count = rank_of(a) + rank_of(b);
    if (count > runtime::kMaxBroadcastRank) {
      runtime::fail(ErrorCode::argument, "{}: the result has the axes of both arrays, {} and {}; {} are the most",
                    method_title(state, "outer"), rank_of(a), rank_of(b), runtime::kMaxBroadcastRank);
    }
    return call_ufunc(state, {with_axes_behind(a, rank_of(b)), b}, options, events);
  });
}

CallReport at(const Function& function, const Argument& target, const Argument& indices, const Argument& values,
              const Stream& stream, const LaunchEvents* events) {
  return guarded([&] { return at_call(Access::state(function), target, indices, values, stream, events); });
}

}  // namespace jitc::engine

namespace jitc {

Array Function::reduce(const Argument& array, const ReduceOptions& options) const {
  return only_result(engine::reduce(*this, array, options).results);
}

Array Function::accumulate(const Argument& array, int axis, const CallOptions& options) const {
  return only_result(engine::accumulate(*this, array, axis, options).results);
}

Array Function::outer(const Argument& a, const Argument& b, const CallOptions& options) const {
  return only_result(engine::outer(*this, a, b, options).results);
}

void Function::at(const Argument& target, const Argument& indices, const Argument& values, const Stream& stream) const {
  engine::at(*this, target, indices, values, stream);
}

}  // namespace jitc
