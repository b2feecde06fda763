// The shapes of a call, decided before anything runs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/common/operand.hpp"

namespace jitc::runtime {

/// Axes of a result. What arrays of the API may have, too.
constexpr size_t kMaxBroadcastRank = 16;

/// NumPy's rule: shapes are aligned at their last axes; an axis that is missing or of extent 1 takes the extent of the
/// others. () where there are no operands. Throws Error(argument), which begins with `title`, shows all shapes by name
/// and says at which axis, counted from the right, which two differ.
std::vector<int64_t> broadcast_shapes(std::string_view title, std::span<const Operand> operands);

/// Whether they do, axis by axis.
bool broadcast_together(std::span<const Operand> operands);

/// The shape of a call with arrays for its results: that of the results, to which the others broadcast. Throws
/// Error(argument) where they do not, where two results differ, or where a result is smaller than what it gets.
std::vector<int64_t> broadcast_shapes(std::string_view title, std::span<const Operand> operands,
                                      std::span<const Operand> results);

/// The strides of an operand that broadcasts to `shape`: zero along the axes that it lacks.
std::vector<int64_t> broadcast_strides(const Operand& operand, std::span<const int64_t> shape);

}  // namespace jitc::runtime
