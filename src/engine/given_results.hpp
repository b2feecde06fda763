// The arrays and the host memory that a caller wants the results of an array function in.
#pragma once

#include <span>
#include <vector>

#include "src/engine/state.hpp"

namespace jitc::engine {

/// Checked as a whole before any of it is stored to.
class GivenResults {
 public:
  /// `given` is empty, or has one for each of `infos`, and outlives this. Throws Error(argument), with the function and
  /// the result, for a number, an array that was never allocated, memory lent for reading, another dtype, another
  /// number of axes, elements at one place, and for results that share memory.
  GivenResults(const FunctionState& function, std::span<const ArgumentInfo> infos, const std::vector<Argument>& given);

  bool empty() const { return given_.empty(); }
  /// Throws Error(argument) unless each is of the shape of its result.
  void check_shapes(std::span<const std::vector<int64_t>> shapes) const;
  /// Whether storing the results other than `index` may change elements of `result`.
  bool may_disturb(const Array& result, size_t index) const;
  /// Stores one result: at once where memory of the host is given, else in the order of the call's queue. Returns the
  /// array, or one without memory for memory of the host.
  Array store(const Array& result, size_t index, const Place& place) const;

 private:
  void check_one(size_t index) const;
  void check_apart() const;

  const FunctionState& function_;
  std::span<const ArgumentInfo> infos_;
  const std::vector<Argument>& given_;
};

}  // namespace jitc::engine
