// An append-only store of nodes, addressed by the ids it hands out in creation order.
#pragma once

#include <utility>
#include <vector>

#include "src/base/check.hpp"
#include "src/base/id.hpp"

namespace jitc::base {

/// Nodes of one kind. References stay valid only until the next add().
template <class Node, class IdType>
class Store {
 public:
  IdType add(Node node) {
    nodes_.push_back(std::move(node));
    return IdType(static_cast<uint32_t>(nodes_.size() - 1));
  }

  const Node& operator[](IdType id) const {
    JITC_CHECK(id.index < nodes_.size(), "id outside its store");
    return nodes_[id.index];
  }
  Node& operator[](IdType id) {
    JITC_CHECK(id.index < nodes_.size(), "id outside its store");
    return nodes_[id.index];
  }

  size_t size() const { return nodes_.size(); }
  auto begin() const { return nodes_.begin(); }
  auto end() const { return nodes_.end(); }

 private:
  std::vector<Node> nodes_;
};

}  // namespace jitc::base
