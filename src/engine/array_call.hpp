// What all calls that return arrays have in common, whatever kernel they run: ufuncs, generalised ufuncs, reductions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/common/host_arguments.hpp"
#include "runtime/common/operand.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

inline bool is_on_device(const Argument& arg) { return std::holds_alternative<Array>(arg.value()); }
inline bool is_host(const Argument& arg) { return std::holds_alternative<HostView>(arg.value()); }

/// An array of the device without axes, of this one value.
Array in_memory(const Scalar& scalar, const Place& place);
/// A copy in an array of Device "cpu", whose elements are there when the queue was waited for.
Array brought_home(const Array& array, const Place& place);
/// Throws Error(argument) unless `out` is empty or has `count` results.
void check_out_count(const FunctionState& function, size_t count, const std::vector<Argument>& out);

/// One call between its arguments and its results. The order is that of the members: a call is made, its results are
/// given their shapes, the kernel stores into targets(), and finish() returns what the caller gets.
class ArrayCall {
 public:
  /// Finds the device and the signature, and host memory its place on the device; nothing is copied yet. Throws
  /// Error(argument), CompileError.
  ArrayCall(const FunctionState& function, const std::vector<Argument>& inputs, const CallOptions& options);
  /// The same where the signature was chosen already, of a kernel that takes other inputs than the function: `infos`
  /// are these and the results.
  ArrayCall(const FunctionState& function, const std::vector<Argument>& inputs, const CallOptions& options,
            size_t signature, std::vector<ArgumentInfo> infos);

  const FunctionState& function() const { return function_; }
  const Place& place() const { return place_; }
  runtime::Backend& backend() const { return *place_.backend; }
  size_t signature() const { return signature_; }
  size_t result_count() const { return result_infos_.size(); }
  /// Arrays of the device, and scalars in the signature's types.
  const std::vector<Argument>& inputs() const { return inputs_; }
  /// The arrays among them, by their parameters' names, without the last `core_ranks[i]` axes.
  std::vector<runtime::Operand> input_operands(std::span<const int> core_ranks = {}) const;
  /// The results that the caller gave: none, or all.
  std::vector<runtime::Operand> given_operands(std::span<const int> core_ranks = {}) const;

  /// The results' shapes. Arrays that the caller gave must have them and be sound to store to; others are allocated.
  /// After this the inputs are on the device. Throws Error(argument).
  void set_result_shapes(std::span<const std::vector<int64_t>> shapes);
  /// What the kernel stores to: a result, or an array that is copied to it afterwards where storing to it would change
  /// what is still to be read. Elementwise calls may store where they read from at the same index of `shape`.
  void choose_targets(const std::vector<int64_t>* elementwise_shape);
  const std::vector<Array>& targets() const { return targets_; }
  /// For kernels that may leave elements as they are: targets other than their results begin with what those hold.
  void keep_contents();
  /// inputs() and targets(): the kernel's arguments, as far as they are arrays and scalars.
  std::vector<Argument> kernel_arguments() const;

  /// Fills the results from the targets, and host memory from the results. Where no argument was on a device, neither
  /// are the results: they are arrays of Device "cpu". A result in host memory is an array without memory here.
  std::vector<Array> finish();

 private:
  void take_arguments(const std::vector<Argument>& inputs, const CallOptions& options);
  void take_host_memory(const std::vector<Argument>& inputs);
  void check_given(size_t index, const Array& array, const std::vector<int64_t>& shape) const;
  void check_apart() const;
  bool must_go_aside(const Array& result, const std::vector<int64_t>* elementwise_shape) const;

  const FunctionState& function_;
  Place place_;
  size_t signature_ = 0;
  std::vector<ArgumentInfo> own_infos_;         ///< where they are not the signature's
  std::span<const ArgumentInfo> infos_;         ///< of the kernel: inputs and results
  std::span<const ArgumentInfo> result_infos_;  ///< the results among them
  std::vector<Argument> inputs_;
  std::vector<Argument> given_;  ///< the results that the caller gave, as arrays of the device
  std::vector<bool> is_host_;    ///< of those: it was host memory
  bool brings_home_ = false;
  std::optional<runtime::HostArguments> host_;  ///< nothing: all arrays are the device's
  std::vector<Array> results_, targets_;
};

}  // namespace jitc::engine
