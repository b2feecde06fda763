// How the printers of array programs name nodes, shapes and operations.
#pragma once

#include <string>
#include <vector>

#include "src/array/ir.hpp"
#include "src/source/source_file.hpp"

namespace jitc::array {

class NodeNames {
 public:
  NodeNames(const source::SourceFile& file, const Program& program) : file_(file), program_(program) {}

  /// "x" of a parameter, "2.5" of a constant, "%7" of all others.
  std::string name(NodeId id) const;
  std::string names(const std::vector<NodeId>& ids) const;
  /// "f4[n,3]".
  std::string type(NodeId id) const;
  /// "f4[n,m] along 1".
  std::string rows(NodeId domain, const std::vector<bool>& folded) const;
  /// "map x - m  (x, %1)", "max over axis 1 of x".
  std::string operation(NodeId id) const;
  /// The text that the node is from, on one line.
  std::string text(NodeId id) const;

 private:
  std::string selection(const Selection& s) const;

  const source::SourceFile& file_;
  const Program& program_;
};

}  // namespace jitc::array
