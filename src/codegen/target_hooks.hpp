// What differs between targets while a kernel becomes LLVM IR. Everything else is one emitter (FunctionEmitter).
#pragma once

#include <memory>

#include "jitc/artifact.hpp"
#include "src/codegen/llvm.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::codegen {

class FunctionEmitter;

/// The hooks of one compile: emit_entry, and the others while it has the threads' statements emitted.
class TargetHooks {
 public:
  virtual ~TargetHooks() = default;

  /// LLVM's number for a memory space.
  virtual unsigned address_space(kernel::MemorySpace space) const = 0;

  /// What a launch must provide for the emitted code.
  virtual void describe(const kernel::KernelProgram&, Artifact&) const {}

  /// Creates the entry function, tells the emitter its parameters, and has it emit what the threads do.
  virtual void emit_entry(FunctionEmitter& emitter) = 0;

  /// Address of KernelProgram::memory[object].
  virtual llvm::Value* memory_base(FunctionEmitter& emitter, uint32_t object) = 0;

  /// One axis of kThreadIdx, kBlockIdx, kBlockDim or kGridDim, or kLaneId or kDynamicSharedBytes, as an i64 that is
  /// known not to be negative.
  virtual llvm::Value* thread_value(FunctionEmitter& emitter, kernel::ThreadValue value, unsigned axis) = 0;

  /// Sees each access that the thread's body makes of `space`, and each call.
  virtual void mark_access(llvm::Instruction& access, kernel::MemorySpace space) = 0;
  /// What LLVM may do with a Loop of independent lanes, `count` of them where that is not 0; null for nothing.
  virtual llvm::MDNode* lane_hints(FunctionEmitter&, unsigned /*count*/) { return nullptr; }
  /// May other threads be at the memory at the same time?
  virtual bool is_shared_between_threads(kernel::MemorySpace space) const = 0;

  /// Barriers and warp operations give their result, or null where they have none.
  virtual llvm::Value* emit_barrier(FunctionEmitter& emitter, const kernel::Barrier& stmt) = 0;
  virtual llvm::Value* emit_warp(FunctionEmitter& emitter, const kernel::Warp& stmt) = 0;
  virtual void emit_fence(FunctionEmitter& emitter, kernel::FenceScope scope) = 0;
  virtual void emit_print(FunctionEmitter& emitter, const kernel::Print& stmt) = 0;

  /// Ends the thread, for statements that do not stand at its end.
  virtual void end_thread(FunctionEmitter& emitter) = 0;
  /// An Exit or Continue of a label that the emitter was given no blocks for.
  virtual void leave_region(FunctionEmitter& emitter, kernel::LabelId label, bool is_continue) = 0;

  /// Address of the launch's FailRecord.
  virtual llvm::Value* fail_record(FunctionEmitter& emitter) = 0;
  /// Sets the record's state, after all its other fields are visible.
  virtual void publish_failure(FunctionEmitter& emitter, llvm::Value* state_ptr, llvm::Value* state) = 0;
};

std::unique_ptr<TargetHooks> make_nvptx_hooks();
std::unique_ptr<TargetHooks> make_cpu_hooks(const kernel::KernelProgram& program);

/// Limits of a launch, as CUDA has them: every value is below its end.
constexpr uint64_t block_dim_end(unsigned axis) { return axis == 2 ? 65 : 1025; }
constexpr uint64_t grid_dim_end(unsigned axis) { return axis == 0 ? uint64_t{1} << 31 : 65536; }

}  // namespace jitc::codegen
