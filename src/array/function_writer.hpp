// Several maps as one function of one element.
#pragma once

#include <functional>
#include <vector>

#include "src/array/ir.hpp"

namespace jitc::array {

struct WrittenFunction {
  Function function;           ///< its results are those that were asked for: one value, or a tuple's items
  std::vector<NodeId> leaves;  ///< by parameter: whose element it is
};

/// Computes `roots` of their leaves: maps are inlined until `leaf_of` gives what stands for a node, and each is
/// computed once. `leaf_of` gives an invalid id for what is to be inlined, which must be a map or the item of one.
WrittenFunction write_function(types::TypeTable& types, const Program& program, const std::vector<NodeId>& roots,
                               const std::function<NodeId(NodeId)>& leaf_of, const std::string& name);

}  // namespace jitc::array
