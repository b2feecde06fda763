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

/// What stands for a node; an invalid id for what is to be inlined, which must be a map, the item of one, or a view of
/// such whose one element is that of its base.
using LeafOf = std::function<NodeId(NodeId)>;

/// Computes `roots` of their leaves: maps are inlined until `leaf_of` gives what stands for a node, and each is
/// computed once. `first` are the first leaves, whether or not anything takes them.
WrittenFunction write_function(types::TypeTable& types, const Program& program, const std::vector<NodeId>& roots,
                               const LeafOf& leaf_of, const std::string& name, const std::vector<NodeId>& first = {});

}  // namespace jitc::array
