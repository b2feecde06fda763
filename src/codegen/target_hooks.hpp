// What differs between targets while a kernel becomes LLVM IR. Everything else is one emitter (FunctionEmitter).
#pragma once

#include <memory>

#include "src/codegen/llvm.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::codegen {

class FunctionEmitter;

/// The hooks of one compile, called in this order: begin_entry, then the others while the thread's body is emitted,
/// then end_entry.
class TargetHooks {
 public:
  virtual ~TargetHooks() = default;

  /// LLVM's number for a memory space.
  virtual unsigned address_space(kernel::MemorySpace space) const = 0;

  /// Creates the entry function, tells the emitter its parameters and leaves the builder where one thread's body
  /// begins.
  virtual void begin_entry(FunctionEmitter& emitter) = 0;
  /// Finishes the function. The builder stands at the block that ends a thread.
  virtual void end_entry(FunctionEmitter& emitter) = 0;

  /// Address of KernelProgram::memory[object].
  virtual llvm::Value* memory_base(FunctionEmitter& emitter, uint32_t object) = 0;

  /// One axis of kThreadIdx, kBlockIdx, kBlockDim or kGridDim, or kLaneId or kDynamicSharedBytes, as an i64 that is
  /// known not to be negative.
  virtual llvm::Value* thread_value(FunctionEmitter& emitter, kernel::ThreadValue value, unsigned axis) = 0;

  /// Sees each access of memory that the thread's body makes, and each call.
  virtual void mark_access(llvm::Instruction& access) = 0;

  /// Address of the launch's FailRecord.
  virtual llvm::Value* fail_record(FunctionEmitter& emitter) = 0;
  /// Sets the record's state, after all its other fields are visible.
  virtual void publish_failure(FunctionEmitter& emitter, llvm::Value* state_ptr, llvm::Value* state) = 0;
};

std::unique_ptr<TargetHooks> make_nvptx_hooks();
std::unique_ptr<TargetHooks> make_cpu_hooks();

/// Limits of a launch, as CUDA has them: every value is below its end.
constexpr uint64_t block_dim_end(unsigned axis) { return axis == 2 ? 65 : 1025; }
constexpr uint64_t grid_dim_end(unsigned axis) { return axis == 0 ? uint64_t{1} << 31 : 65536; }

}  // namespace jitc::codegen
