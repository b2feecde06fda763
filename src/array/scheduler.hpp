// The state of scheduling. Private to src/array; its methods are spread over choose_kernels.cpp,
// choose_contractions.cpp and shared_maps.cpp (what is fused), write_kernels.cpp (what kernels compute) and
// schedule.cpp (in which order things happen).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "src/array/block_nodes.hpp"
#include "src/array/function_writer.hpp"
#include "src/array/kernel_members.hpp"
#include "src/array/plan.hpp"
#include "src/array/row_group.hpp"
#include "src/array/uses.hpp"

namespace jitc::array {

class Scheduler {
 public:
  Scheduler(types::TypeTable& types, Program program)
      : types_(types), plan_{std::move(program), {}, {}}, places_(plan_.program) {}

  Plan run();

 private:
  /// What belongs to one kernel of maps: nodes of one shape, or what one statement stores.
  struct MapGroup {
    std::vector<NodeId> roots;
    std::optional<StmtId> store;  ///< then there are no roots
    NodeId join;                  ///< then the one root is part `part` of it
    int part = -1;
  };
  /// A contraction, and maps of its elements that its kernel computes.
  struct ContractGroup {
    NodeId product;
    std::vector<NodeId> roots;
  };
  struct BlockState {
    uint32_t number = 0;
    BlockNodes nodes;
    std::set<uint32_t> roots;   ///< nodes that kernels compute into memory
    std::set<uint32_t> forced;  ///< maps that several kernels take: computed once
    std::set<uint32_t> beside;  ///< joins without memory, whose parts are read where they are
    /// Of each map without memory: the kernels, numbered row groups first, then contractions, then maps.
    std::map<uint32_t, std::set<uint32_t>> used;
    KernelMembers together;
    std::vector<RowGroup> rows;
    std::vector<ContractGroup> contractions;
    std::vector<MapGroup> maps;
    std::map<uint32_t, uint32_t> kernel_of;           ///< by node
    std::map<uint32_t, uint32_t> store_of;            ///< by statement
    std::map<uint32_t, std::vector<uint32_t>> joins;  ///< kernels of the parts, by node
    std::set<uint32_t> done, launched, shaped;
    uint32_t position = 0;
  };

  // --- schedule.cpp ---
  Steps schedule_block(const Block& block, const std::vector<NodeId>& extra = {});
  void lower_stmt(StmtId id);
  void lower_define(NodeId id);
  void lower_store(StmtId id);
  void demand(NodeId id);
  void demand_extent(ExtentId extent, NodeId own);
  void demand_shape(NodeId id);
  void demand_for_blocks(const Stmt& stmt);
  void demand_before_store();
  void launch(uint32_t kernel, Span span);
  void eval(NodeId id);
  bool is_here(NodeId id) const { return places_.has(id) && places_[id].block == block_->number; }
  const Program& program() const { return plan_.program; }
  const Node& node(NodeId id) const { return plan_.program.nodes[id]; }

  // --- choose_kernels.cpp ---
  void choose_kernels(const Block& block);
  void choose_roots();
  bool must_be_root(NodeId id) const;
  bool is_inline(NodeId id) const;
  void find_joined_views();
  bool stays_in_parts(NodeId join) const;
  bool is_read_by_maps(NodeId id, uint32_t epoch) const;
  void group_folds();
  void group_fold(NodeId fold);
  void group_maps(const Block& block);
  void group_map(NodeId map);
  bool join_rows(NodeId map);
  bool may_have_shape(NodeId map, NodeId domain) const;
  bool join_map(NodeId map);
  std::vector<NodeId> leaves_of(NodeId root) const;
  bool depends_on(NodeId id, NodeId member) const;
  bool any_depends_on(const std::vector<NodeId>& nodes, NodeId member) const;
  std::vector<uint32_t> in_order(const std::set<uint32_t>& nodes) const;

  // --- choose_contractions.cpp ---
  void force_epilogues();
  NodeId only_exit(NodeId product) const;
  bool may_follow(NodeId id, NodeId product) const;
  bool has_joined_axes(const Contract& contract) const;
  bool has_range(const std::vector<NodeId>& leaves) const;
  bool is_cheap_factor(NodeId factor) const;
  bool force_factors();
  void group_contractions();
  bool join_contraction(NodeId map);

  // --- shared_maps.cpp ---
  bool force_shared();
  bool is_one_value(NodeId id) const;
  void note_use(NodeId id, uint32_t kernel, std::map<uint32_t, std::set<uint32_t>>& used) const;
  bool is_only_in(NodeId id, NodeId member, uint32_t kernel) const;

  // --- write_kernels.cpp ---
  void write_kernels();
  using KernelKind = decltype(Kernel::kind);
  uint32_t add_kernel(std::string name, Span span, KernelKind kind);
  uint32_t add_step(Span span, KernelKind kind);
  void write_map(const MapGroup& group);
  MapKernel map_kernel(const std::vector<NodeId>& values, const LeafOf& leaf);
  void add_map_steps(const std::vector<NodeId>& roots, const LeafOf& leaf, Span span, std::vector<uint32_t>& steps);
  NodeId leaf_of(NodeId id) const;
  std::string operand_name(NodeId id) const;
  kernel::KernelOperand operand(NodeId id, bool per_row) const;
  void write_rows(uint32_t index);
  void write_contraction(uint32_t index);
  void write_factor(NodeId factor, kernel::ContractFactor& out, std::vector<NodeId>& operands);
  friend class RowWriter;

  types::TypeTable& types_;
  Plan plan_;
  Places places_;
  BlockState* block_ = nullptr;
  Steps* steps_ = nullptr;
  uint32_t current_ = 0, entered_ = 0;  ///< numbers of blocks
};

}  // namespace jitc::array
