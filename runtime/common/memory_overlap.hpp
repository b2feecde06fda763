// Whether arrays share memory, from their addresses and strides alone.
#pragma once

#include "runtime/common/operand.hpp"

namespace jitc::runtime {

/// False is certain; true may be said of arrays that lie between each other in a way that only a search would tell
/// apart. Columns and every second element are told apart.
bool may_overlap(const Operand& a, const Operand& b);

/// Whether two elements of one array may share memory. False is certain, and so is true for arrays of up to a million
/// elements.
bool may_overlap_itself(const Operand& array);

/// Whether the elements of two arrays of one shape lie exactly over each other, each over its own: then one may be
/// stored while the other is read. The shape is the call's, to which both broadcast.
bool are_same_elements(const Operand& a, const Operand& b, std::span<const int64_t> shape);

}  // namespace jitc::runtime
