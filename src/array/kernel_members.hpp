// Which nodes one kernel computes.
#pragma once

#include <map>
#include <vector>

#include "src/array/ir.hpp"

namespace jitc::array {

class KernelMembers {
 public:
  void clear() { members_.clear(), kernel_of_.clear(); }

  /// `node` joins the kernel that computes `with`; a node with itself has a kernel of its own.
  void add(NodeId node, NodeId with) {
    if (node == with) members_.emplace_back();
    const size_t kernel = node == with ? members_.size() - 1 : kernel_of_.at(with.index);
    kernel_of_.insert_or_assign(node.index, kernel);
    members_[kernel].push_back(node.index);
  }

  bool are_together(NodeId a, NodeId b) const {
    const auto x = kernel_of_.find(a.index), y = kernel_of_.find(b.index);
    return x != kernel_of_.end() && y != kernel_of_.end() && x->second == y->second;
  }

  /// All that are computed with it, itself among them; none where no kernel is known for it.
  const std::vector<uint32_t>& with(NodeId node) const {
    static const std::vector<uint32_t> none;
    const auto found = kernel_of_.find(node.index);
    return found == kernel_of_.end() ? none : members_[found->second];
  }

 private:
  std::vector<std::vector<uint32_t>> members_;  ///< by kernel
  std::map<uint32_t, size_t> kernel_of_;
};

}  // namespace jitc::array
