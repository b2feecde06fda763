// Emits kernels whose threads meet, as kernel::RegionPlan has them split. Private to the folder; methods are spread
// over cpu_regions.cpp (control flow of groups), cpu_region_threads.cpp (loops over threads, their values and states)
// and cpu_region_warps.cpp (meetings of a warp).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/codegen/targets/cpu_hooks.hpp"
#include "src/kernel/regions.hpp"

namespace jitc::codegen {

class CpuRegionHooks : public CpuHooks {
 public:
  explicit CpuRegionHooks(const kernel::KernelProgram& program);

  void emit_entry(FunctionEmitter& emitter) override;
  void describe(const kernel::KernelProgram& program, Artifact& artifact) const override;
  void mark_access(llvm::Instruction& access, kernel::MemorySpace space) override;
  llvm::Value* emit_barrier(FunctionEmitter& emitter, const kernel::Barrier& stmt) override;
  llvm::Value* emit_warp(FunctionEmitter& emitter, const kernel::Warp& stmt) override;
  void end_thread(FunctionEmitter& emitter) override;
  void leave_region(FunctionEmitter& emitter, kernel::LabelId label, bool is_continue) override;

 protected:
  llvm::Value* lane_id(Builder& b) const override;
  llvm::Value* block_scratch(FunctionEmitter& emitter) override;
  llvm::Value* local_array(FunctionEmitter& emitter, uint32_t object) override;

 private:
  using Group = kernel::Group;
  using Emit = std::function<void()>;

  static constexpr uint64_t kLanes = 32;

  /// A loop over [first, end), which is not empty.
  struct CountedLoop {
    llvm::PHINode* index = nullptr;
    llvm::Value* end = nullptr;
  };
  struct GroupBlocks {
    llvm::BasicBlock* exit = nullptr;
    llvm::BasicBlock* step = nullptr;
  };
  /// What the statements of a loop over threads read and assign.
  struct Touched {
    kernel::LocalSet read, assigned;
  };

  // --- cpu_regions.cpp ---
  void find_scratch(FunctionEmitter& emitter);
  void emit_blocks(FunctionEmitter& emitter);
  void emit_body(FunctionEmitter& emitter);
  void emit_nodes(FunctionEmitter& emitter, const kernel::RegionNodes& nodes, Group group);
  void emit_each_group(FunctionEmitter& emitter, const kernel::EachGroup& node);
  void emit_each_warp(FunctionEmitter& emitter, const kernel::RegionNodes& body);
  void emit_if(FunctionEmitter& emitter, const kernel::GroupIf& node, Group group);
  void emit_masked_if(FunctionEmitter& emitter, const kernel::GroupIf& node, Group group);
  void emit_loop(FunctionEmitter& emitter, const kernel::GroupLoop& node, Group group);
  void emit_scope(FunctionEmitter& emitter, const kernel::GroupScope& node, Group group);
  void emit_jump(FunctionEmitter& emitter, const kernel::GroupJump& node);
  void emit_meeting(FunctionEmitter& emitter, kernel::StmtId id, Group group);
  void emit_group_barrier(FunctionEmitter& emitter, const kernel::Barrier& stmt, Group group);
  void emit_arrival_check(FunctionEmitter& emitter, uint32_t fail_site, Group group);
  /// Does any thread of the group run?
  llvm::Value* any_active(FunctionEmitter& emitter, Group group);
  /// Does `emit` give true in any thread?
  llvm::Value* any_thread(FunctionEmitter& emitter, Group group, bool masked,
                          const std::function<llvm::Value*()>& emit);

  // --- cpu_region_threads.cpp ---
  CountedLoop begin_loop(FunctionEmitter& emitter, llvm::Value* first, llvm::Value* end, const char* name);
  void end_loop(FunctionEmitter& emitter, const CountedLoop& loop, const LoopHints& hints = {false, false, false});
  /// `emit` for each block of [first, end), which is not empty.
  void each_block(FunctionEmitter& emitter, llvm::Value* first, llvm::Value* end, const Emit& emit);
  /// `emit` for each thread of the group; `masked`: for those whose state lets them run.
  void each_thread(FunctionEmitter& emitter, Group group, bool masked, const kernel::Block& body, const Emit& emit);
  void each_thread_of_block(FunctionEmitter& emitter, bool masked, const kernel::Block& body, const Emit& emit);
  /// `whole`: also for the lanes that the block's last warp does not have.
  void each_lane(FunctionEmitter& emitter, bool masked, bool whole, const kernel::Block& body, const Emit& emit);
  LoopHints region_hints(const kernel::Block& body, bool unroll);
  bool is_harmless(const kernel::Block& body) const;
  bool is_harmless(kernel::ExprId id) const;
  void emit_one_thread(FunctionEmitter& emitter, bool masked, const Emit& emit);
  void emit_region(FunctionEmitter& emitter, const kernel::Block& stmts, Group group);
  Touched touched_by(const kernel::Block& block) const;
  void add_touched(const kernel::Block& block, Touched& out) const;
  /// Brings the thread's values of the locals that are read into their registers.
  void fill(FunctionEmitter& emitter, const Touched& touched);
  void fill_reads(FunctionEmitter& emitter, const std::vector<kernel::ExprId>& exprs);
  void recompute(FunctionEmitter& emitter, kernel::LocalId local, kernel::LocalSet& done);
  void spill(FunctionEmitter& emitter, const Touched& touched);
  void store_result(FunctionEmitter& emitter, kernel::LocalId local, llvm::Value* value);
  void begin_locals(FunctionEmitter& emitter);
  /// What local arrays take per thread, so that each begins aligned.
  static uint64_t padded_size(const kernel::MemoryObject& object);
  llvm::Value* slot_address(FunctionEmitter& emitter, uint64_t bytes_per_thread, llvm::Type* type);
  llvm::Value* local_slot(FunctionEmitter& emitter, kernel::LocalId local);
  llvm::Type* slot_type(FunctionEmitter& emitter, kernel::LocalId local) const;

  /// Why a thread does not run along. 0: it does.
  static constexpr uint32_t kRuns = 0, kEnded = 1;
  static uint32_t left(kernel::LabelId label) { return 2 + 2 * label.index; }
  static uint32_t continues(kernel::LabelId label) { return 3 + 2 * label.index; }
  static uint32_t waits_for_else(kernel::StmtId stmt) { return (1U << 31) | (2 * stmt.index); }
  static uint32_t has_done_then(kernel::StmtId stmt) { return (1U << 31) | (2 * stmt.index + 1); }
  llvm::Value* state(FunctionEmitter& emitter);
  void set_state(FunctionEmitter& emitter, llvm::Value* value);
  void set_state(FunctionEmitter& emitter, uint32_t value) { set_state(emitter, emitter.builder().getInt32(value)); }
  /// Threads in state `from` go to state `to`.
  void change_state(FunctionEmitter& emitter, uint32_t from, uint32_t to, Group group);

  // --- cpu_region_warps.cpp ---
  class WarpEmitter;
  void emit_warp_meeting(FunctionEmitter& emitter, const kernel::Warp& stmt);
  /// An element per lane, in the function's frame.
  llvm::AllocaInst* warp_array(FunctionEmitter& emitter, llvm::Type* element, const char* name);

  const kernel::KernelProgram& program_;
  const kernel::RegionPlan plan_;
  // Bytes per thread before each local's values, each local array, the states.
  std::vector<uint64_t> slot_offsets_, array_offsets_;
  uint64_t state_offset_ = 0, bytes_per_thread_ = 0;

  llvm::Value *thread_count_ = nullptr, *slot_count_ = nullptr, *padded_count_ = nullptr;
  llvm::Value *slots_ = nullptr, *block_size_ = nullptr;  ///< scratch: of the threads, and size of that of one block
  llvm::Value* block_count_ = nullptr;                    ///< of the grid, for kernels that wait for it
  llvm::Value* block_ = nullptr;                          ///< number of the block
  llvm::Value* thread_ = nullptr;                         ///< number of the thread in its block
  llvm::Value* lane_ = nullptr;                           ///< and in its warp, inside of a loop over lanes
  llvm::Value *warp_begin_ = nullptr, *warp_end_ = nullptr;
  Axes warp_first_{};  ///< coordinates of the warp's first thread
  llvm::BasicBlock* body_end_ = nullptr;
  std::map<std::pair<llvm::Type*, std::string>, llvm::AllocaInst*> warp_arrays_;
  int loop_count_ = 0;                        ///< over threads, so far
  std::vector<bool> is_left_, is_continued_;  ///< by label, with masks: some thread may do so alone
  std::vector<GroupBlocks> labels_;
};

}  // namespace jitc::codegen
