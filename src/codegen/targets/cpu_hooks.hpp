// What all kernels of the host have in common: the entry's parameters, the launch, scratch memory, the fail record.
#pragma once

#include <array>

#include "jitc/cpu_abi.hpp"
#include "src/codegen/function_emitter.hpp"
#include "src/codegen/memory_objects.hpp"

namespace jitc::codegen {

using Axes = std::array<llvm::Value*, 3>;

class CpuHooks : public TargetHooks {
 public:
  unsigned address_space(kernel::MemorySpace) const override { return 0; }
  void describe(const kernel::KernelProgram& program, Artifact& artifact) const override;
  llvm::Value* memory_base(FunctionEmitter& emitter, uint32_t object) override;
  llvm::Value* thread_value(FunctionEmitter& emitter, kernel::ThreadValue value, unsigned axis) override;
  void mark_access(llvm::Instruction& access, kernel::MemorySpace space) override;
  llvm::MDNode* lane_hints(FunctionEmitter& emitter, unsigned count) override;
  /// Blocks are the unit of work: what a block shares has one thread of the host at a time.
  bool is_shared_between_threads(kernel::MemorySpace space) const override {
    return space == kernel::MemorySpace::kGlobal;
  }
  llvm::Value* fail_record(FunctionEmitter& emitter) override;
  void publish_failure(FunctionEmitter& emitter, llvm::Value* state_ptr, llvm::Value* state) override;
  void emit_fence(FunctionEmitter& emitter, kernel::FenceScope scope) override;
  void emit_print(FunctionEmitter& emitter, const kernel::Print& stmt) override;

 protected:
  /// Where the threads' own values come from, while a thread is emitted.
  virtual llvm::Value* lane_id(Builder& b) const = 0;
  /// Address of the scratch memory of the block: its shared arrays first.
  virtual llvm::Value* block_scratch(FunctionEmitter&) { return scratch_; }
  virtual llvm::Value* local_array(FunctionEmitter& emitter, uint32_t object) { return emitter.local_memory(object); }

  /// The function, its parameters and locals; the builder stands in the entry block.
  void begin_function(FunctionEmitter& emitter);
  llvm::Value* dynamic_shared_bytes(FunctionEmitter& emitter);
  /// `value` rounded up to a multiple of `unit`, a power of two.
  static llvm::Value* round_up(Builder& b, llvm::Value* value, uint64_t unit);
  static llvm::Value* byte_offset(Builder& b, llvm::Value* base, llvm::Value* offset_bytes);
  static llvm::PHINode* new_phi(Builder& b, llvm::Value* first, llvm::BasicBlock* from);
  /// Block coordinates of a block's number.
  Axes block_coordinates(Builder& b, llvm::Value* block) const;
  /// What LLVM may do with a loop over threads.
  struct LoopHints {
    bool parallel = false;  ///< the marked accesses of its rounds are independent
    bool vectorise = true;
    bool unroll = true;
    unsigned width = 0;  ///< above 0: rounds that become one vector, whatever LLVM thinks that costs
  };
  llvm::MDNode* loop_hints(FunctionEmitter& emitter, const LoopHints& hints) const;
  static bool is_small_enough_for_vectors(const kernel::KernelProgram& program);

  llvm::Value *params_ = nullptr, *launch_ = nullptr, *block_begin_ = nullptr, *block_end_ = nullptr,
              *scratch_ = nullptr;
  Axes grid_dim_{}, block_dim_{}, block_idx_{}, thread_idx_{};
  llvm::MDNode* access_group_ = nullptr;
  kernel::MemoryLayout shared_layout_;

 private:
  void create_function(FunctionEmitter& emitter);
  void load_launch(FunctionEmitter& emitter);
  std::vector<llvm::Value*> load_params(FunctionEmitter& emitter);
  llvm::Value* constant_array(FunctionEmitter& emitter, uint32_t object);
};

/// One loop over the rows of threads of each block.
std::unique_ptr<TargetHooks> make_cpu_row_hooks();
/// For programs whose threads meet: loops over the threads between the meetings.
std::unique_ptr<TargetHooks> make_cpu_region_hooks(const kernel::KernelProgram& program);

}  // namespace jitc::codegen
