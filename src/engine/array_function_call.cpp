// From a call of an array function to the arrays that it returns.
#include <algorithm>

#include "runtime/common/error.hpp"
#include "runtime/common/host_arguments.hpp"
#include "runtime/common/layout.hpp"
#include "runtime/common/params.hpp"
#include "src/engine/given_results.hpp"
#include "src/engine/plan_runner.hpp"

namespace jitc::engine {

namespace {

using runtime::fail;

/// One call: its arguments on the device, its results where the caller wants them.
class ArrayFunctionCall {
 public:
  ArrayFunctionCall(const FunctionState& function, const std::vector<Argument>& given, const CallOptions& options)
      : function_(function), options_(options), place_(place_of(function, given, options.stream, options.out)) {
    Resolution call = choose_for(function, given);
    signature_ = call.signature;
    args_ = std::move(call.args);
    const pipeline::KernelVariant& variant = variant_at(function, signature_);
    infos_ = variant.plan->program.params;
    results_ = variant.plan->program.results;
    given_.emplace(function, variant.plan->program.results, options.out);
    if (std::ranges::any_of(given, is_host)) {
      host_.emplace(given, place_.backend, place_.queue);
      host_->put_arrays(args_);
    }
    brings_home_ = !place_.backend->is_host() && host_ && std::ranges::none_of(given, is_on_device) &&
                   std::ranges::none_of(options.out, is_on_device);
    runtime::check_layouts(function.title, infos_, args_);
    extents_ = runtime::check_named_extents(function.title, infos_, args_);
  }

  CallReport run(const LaunchEvents* events) {
    CallReport report;
    report.launch.signature = signature_;
    report.launch.worker_threads = place_.backend->worker_threads();
    const Stream stream = Stream::of_queue(place_.queue);
    if (host_) host_->copy_in(infos_, args_);
    const TypedSignature& typed = signature_at(function_, signature_);
    if (events != nullptr) events->begin.record(stream);
    PlanRunner runner(function_, *typed.variant, *typed.module->types, typed.module->file, place_, report.launch);
    const auto check = [this](std::span<const std::vector<int64_t>> shapes) {
      check_result_extents(shapes);
      given_->check_shapes(shapes);
    };
    const std::vector<NodeValue> values = runner.run(args_, options_.out, check);
    if (events != nullptr) events->end.record(stream);
    std::vector<Array> results;
    for (const NodeValue& value : values) results.push_back(as_array(value));
    report.results = deliver(std::move(results));
    if (host_) host_->copy_back(infos_);
    if (brings_home_) place_.queue->synchronize();
    return report;
  }

 private:
  /// Scalars become arrays without axes.
  Array as_array(const NodeValue& value) const {
    if (value.kind == NodeValue::Kind::array) return value.array;
    JITC_CHECK(value.kind == NodeValue::Kind::scalar, "a result that has no memory");
    return in_memory(value.scalar, place_);
  }

  /// Results have the extents that the signature names.
  void check_result_extents(std::span<const std::vector<int64_t>> shapes) {
    for (size_t k = 0; k < shapes.size(); ++k) {
      const auto conflict = extents_.add(results_[k], shapes[k]);
      if (!conflict) continue;
      fail(ErrorCode::argument, "{}: {} is {} in {}, but the result {} has shape {}", function_.title, conflict->name,
           conflict->first.extent, conflict->first.owner->name, results_[k].name, runtime::tuple_text(shapes[k]));
    }
  }

  /// A view of memory that the caller lent for the call is no result to keep.
  bool is_lent(const Array& result) const {
    return host_ && std::ranges::any_of(args_, [&](const Argument& a) {
             const auto* array = std::get_if<Array>(&a.value());
             return array != nullptr && array->buffer() == result.buffer();
           });
  }

  /// Results that are views of what another one is stored to are copied first.
  std::vector<Array> deliver(std::vector<Array> results) const {
    const Stream stream = Stream::of_queue(place_.queue);
    for (size_t k = 0; k < results.size(); ++k) {
      const bool disturbed = !given_->empty() && given_->may_disturb(results[k], k);
      if (disturbed || is_lent(results[k])) results[k] = results[k].copy(stream);
    }
    for (size_t k = 0; k < results.size(); ++k) {
      if (!given_->empty())
        results[k] = given_->store(results[k], k, place_);
      else if (brings_home_)
        results[k] = brought_home(results[k], place_);
    }
    return results;
  }

  const FunctionState& function_;
  const CallOptions& options_;
  Place place_;
  size_t signature_ = 0;
  std::vector<Argument> args_;
  std::vector<ArgumentInfo> infos_;
  std::span<const ArgumentInfo> results_;
  runtime::NamedExtents extents_;
  std::optional<GivenResults> given_;
  std::optional<runtime::HostArguments> host_;
  bool brings_home_ = false;
};

}  // namespace

CallReport call_array_function(const FunctionState& function, const std::vector<Argument>& given,
                               const CallOptions& options, const LaunchEvents* events) {
  return ArrayFunctionCall(function, given, options).run(events);
}

}  // namespace jitc::engine
