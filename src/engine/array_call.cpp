#include "src/engine/array_call.hpp"

#include <algorithm>
#include <utility>

#include "runtime/common/broadcast.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/common/memory_overlap.hpp"
#include "runtime/common/queue_of.hpp"
#include "runtime/common/scalar_bytes.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;
using runtime::Operand;
using runtime::tuple_text;

/// Inputs and results, host memory among the results as something to be written only; but a gufunc may leave elements
/// of its results as they are.
std::vector<Argument> all_of(const FunctionState& function, const std::vector<Argument>& inputs,
                             const std::vector<Argument>& results) {
  std::vector<Argument> out = inputs;
  for (const Argument& result : results) {
    const auto* host = std::get_if<HostView>(&result.value());
    if (host != nullptr && host->access() == HostAccess::in) {
      fail(ErrorCode::argument,
           "{}: a result was given host memory that is lent for reading alone (const, or jitc::in)", function.title);
    }
    const bool is_kept = host != nullptr && function.is_gufunc();
    out.push_back(host == nullptr || is_kept ? result : Argument(host->with(HostAccess::out)));
  }
  return out;
}

std::vector<std::string> names_of(std::span<const ArgumentInfo> infos) {
  std::vector<std::string> out;
  for (const ArgumentInfo& info : infos) out.push_back(info.name);
  return out;
}

void check_is_array(const FunctionState& function, const std::string& name, const Argument& result) {
  if (std::holds_alternative<HostView>(result.value())) return;
  const auto* array = std::get_if<Array>(&result.value());
  if (array != nullptr && array->valid()) return;
  fail(ErrorCode::argument, "{}: {} {}", function.title, name,
       array == nullptr ? "is a scalar; results are stored to arrays" : "is an array that was never allocated");
}

Operand cut(const std::string& name, const Array& array, std::span<const int> core_ranks, size_t index) {
  return runtime::operand_of(name, array, core_ranks.empty() ? -1 : std::max(array.rank() - core_ranks[index], 0));
}

}  // namespace

Array in_memory(const Scalar& scalar, const Place& place) {
  const std::array<std::byte, 16> bytes = runtime::scalar_bytes(scalar);
  const Array out = runtime::make_array(place.backend, {}, scalar.dtype, place.queue);
  out.copy_from_host(bytes.data(), size_bytes(scalar.dtype), Stream::of_queue(place.queue));
  place.queue->synchronize();  // the bytes are gone when this returns
  return out;
}

Array brought_home(const Array& array, const Place& place) {
  const Array home = Device::open("cpu").empty(array.shape(), array.dtype());
  array.copy_to_host({home.data(), home.dtype(), home.shape()}, Stream::of_queue(place.queue));
  return home;
}

void check_out_count(const FunctionState& function, size_t count, const std::vector<Argument>& out) {
  if (out.empty() || out.size() == count) return;
  fail(ErrorCode::argument, "{} has {} result{}, but out has {}", function.title, count, count == 1 ? "" : "s",
       out.size());
}

ArrayCall::ArrayCall(const FunctionState& function, const std::vector<Argument>& inputs, const CallOptions& options)
    : function_(function), place_(place_of(function, inputs, options.stream, options.out)) {
  Resolution call = choose_for(function, inputs, options.out);
  signature_ = call.signature;
  infos_ = variant_at(function, signature_).strided.arguments;
  inputs_ = std::move(call.args);
  take_arguments(inputs, options);
}

ArrayCall::ArrayCall(const FunctionState& function, const std::vector<Argument>& inputs, const CallOptions& options,
                     size_t signature, std::vector<ArgumentInfo> infos)
    : function_(function),
      place_(place_of(function, inputs, options.stream, options.out, names_of(infos))),
      signature_(signature),
      own_infos_(std::move(infos)),
      infos_(own_infos_),
      inputs_(inputs) {
  take_arguments(inputs, options);
}

void ArrayCall::take_arguments(const std::vector<Argument>& inputs, const CallOptions& options) {
  result_infos_ = infos_.subspan(inputs.size());
  check_out_count(function_, result_infos_.size(), options.out);
  given_ = options.out;
  for (size_t i = 0; i < given_.size(); ++i) {
    check_is_array(function_, result_infos_[i].name, given_[i]);
    is_host_.push_back(is_host(given_[i]));
  }
  if (std::ranges::any_of(inputs, is_host) || std::ranges::any_of(options.out, is_host)) take_host_memory(inputs);
  brings_home_ = !place_.backend->is_host() && std::ranges::none_of(inputs, is_on_device) &&
                 std::ranges::none_of(options.out, is_on_device);
}

void ArrayCall::take_host_memory(const std::vector<Argument>& inputs) {
  host_.emplace(all_of(function_, inputs, given_), place_.backend, place_.queue);
  std::vector<Argument> all = inputs_;
  all.insert(all.end(), given_.begin(), given_.end());
  host_->put_arrays(all);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(inputs.size());
  inputs_.assign(all.begin(), middle);
  given_.assign(middle, all.end());
}

std::vector<Operand> ArrayCall::input_operands(std::span<const int> core_ranks) const {
  std::vector<Operand> out;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Array* array = std::get_if<Array>(&inputs_[i].value());
    if (array != nullptr) out.push_back(cut(infos_[i].name, *array, core_ranks, i));
  }
  return out;
}

std::vector<Operand> ArrayCall::given_operands(std::span<const int> core_ranks) const {
  std::vector<Operand> out;
  for (size_t i = 0; i < given_.size(); ++i) {
    out.push_back(cut(result_infos_[i].name, std::get<Array>(given_[i].value()), core_ranks, i));
  }
  return out;
}

void ArrayCall::check_given(size_t index, const Array& array, const std::vector<int64_t>& shape) const {
  const ArgumentInfo& info = result_infos_[index];
  if (array.dtype() != info.dtype) {
    fail(ErrorCode::argument, "{}: {} is {}, but {} returns {}", function_.title, info.name, name(array.dtype()),
         variant_at(function_, signature_).signature, name(info.dtype));
  }
  if (array.shape() != shape) {
    fail(ErrorCode::argument, "{}: {} has shape {}, the result has {}", function_.title, info.name,
         tuple_text(array.shape()), tuple_text(shape));
  }
  if (!runtime::may_overlap_itself(runtime::operand_of(info.name, array))) return;
  fail(ErrorCode::argument,
       "{}: {} lies over itself: of shape {} and strides {}, it has several elements at one place; store to a copy",
       function_.title, info.name, tuple_text(array.shape()), tuple_text(array.strides()));
}

/// Which of two results would win is not for the order of threads to say.
void ArrayCall::check_apart() const {
  for (size_t i = 0; i < given_.size(); ++i) {
    for (size_t k = i + 1; k < given_.size(); ++k) {
      if (!runtime::may_overlap(runtime::operand_of("", results_[i]), runtime::operand_of("", results_[k]))) continue;
      fail(ErrorCode::argument, "{}: {} and {} share memory; each result needs its own", function_.title,
           result_infos_[i].name, result_infos_[k].name);
    }
  }
}

void ArrayCall::set_result_shapes(std::span<const std::vector<int64_t>> shapes) {
  for (size_t i = 0; i < result_infos_.size(); ++i) {
    if (given_.empty()) {
      results_.push_back(runtime::make_array(place_.backend, shapes[i], result_infos_[i].dtype, place_.queue));
    } else {
      results_.push_back(std::get<Array>(given_[i].value()));
      check_given(i, results_[i], shapes[i]);
    }
  }
  if (given_.size() > 1) check_apart();
  if (!host_) return;
  std::vector<Argument> all = inputs_;
  all.insert(all.end(), given_.begin(), given_.end());
  host_->copy_in(infos_, all);
}

bool ArrayCall::must_go_aside(const Array& result, const std::vector<int64_t>* elementwise_shape) const {
  const Operand stored = runtime::operand_of("", result);
  return std::ranges::any_of(inputs_, [&](const Argument& input) {
    const Array* array = std::get_if<Array>(&input.value());
    if (array == nullptr) return false;
    const Operand read = runtime::operand_of("", *array);
    return runtime::may_overlap(stored, read) &&
           !(elementwise_shape != nullptr && runtime::are_same_elements(stored, read, *elementwise_shape));
  });
}

void ArrayCall::choose_targets(const std::vector<int64_t>* elementwise_shape) {
  for (const Array& result : results_) {
    const bool aside = !given_.empty() && must_go_aside(result, elementwise_shape);
    targets_.push_back(aside ? runtime::make_array(place_.backend, result.shape(), result.dtype(), place_.queue)
                             : result);
  }
}

void ArrayCall::keep_contents() {
  for (size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i].data() == results_[i].data()) continue;
    targets_[i].copy_from(results_[i], Stream::of_queue(place_.queue));
  }
}

std::vector<Argument> ArrayCall::kernel_arguments() const {
  std::vector<Argument> out = inputs_;
  out.insert(out.end(), targets_.begin(), targets_.end());
  return out;
}

std::vector<Array> ArrayCall::finish() {
  const Stream stream = Stream::of_queue(place_.queue);
  for (size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i].data() != results_[i].data()) results_[i].copy_from(targets_[i], stream);
  }
  if (host_) host_->copy_back(infos_);
  if (given_.empty() && !brings_home_) return std::move(results_);
  std::vector<Array> out;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!given_.empty()) {
      out.push_back(is_host_[i] ? Array() : results_[i]);
    } else {
      out.push_back(brought_home(results_[i], place_));
    }
  }
  if (brings_home_ && given_.empty()) place_.queue->synchronize();
  return out;
}

}  // namespace jitc::engine
