// What a scheduler knows of the nodes of one block: what is wanted, what needs memory, and who takes what.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "src/array/ir.hpp"

namespace jitc::array {

/// Where a node is defined: its block, its place in it, and after how many stores and changes of variables that are
/// read later.
struct Place {
  uint32_t block = 0, position = 0, epoch = 0;
};

class Places {
 public:
  explicit Places(const Program& program);

  /// Nodes without a place, constants, can be computed anywhere.
  bool has(NodeId id) const { return places_.contains(id.index); }
  const Place& operator[](NodeId id) const { return places_.at(id.index); }
  void add(NodeId id, Place place) { places_.insert_or_assign(id.index, place); }
  /// Some statement stores into memory, so that what is read may change.
  bool has_stores() const { return has_stores_; }
  /// How many of those lie before the statement; at the end of the block all.
  uint32_t epoch_at(uint32_t block, uint32_t position) const { return epochs_[block][position]; }

 private:
  void find_stores(const Program& program, const Block& block);
  void visit(const Program& program, const Block& block, uint32_t number);

  std::map<uint32_t, Place> places_;
  std::vector<std::vector<uint32_t>> epochs_;  ///< by block
  bool has_stores_ = false;
};

struct BlockNodes {
  std::set<uint32_t> live;    ///< what some effect asks for, directly or not
  std::set<uint32_t> memory;  ///< whose elements must lie in memory
  /// Of each live node: the nodes that take it, and the statements (by position) that do.
  std::map<uint32_t, std::vector<NodeId>> users;
  std::map<uint32_t, std::vector<uint32_t>> effects;
};

/// `number` is the block's in `places`; `extra` are nodes that are asked for at its end.
BlockNodes find_block_nodes(const Program& program, const Places& places, const Block& block, uint32_t number,
                            const std::vector<NodeId>& extra);

/// What the blocks inside a statement take, of whatever block.
std::set<uint32_t> taken_inside(const Program& program, const Stmt& stmt);

/// The scalar nodes that an extent is made of.
void for_each_scalar(const Program& program, ExtentId extent, const std::function<void(NodeId)>& visit);

}  // namespace jitc::array
