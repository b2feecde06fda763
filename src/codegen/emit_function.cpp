// The frame of a kernel's function: parameters, locals, and the body between the hooks' prologue and epilogue.
#include "src/codegen/function_emitter.hpp"
#include "src/codegen/llvm_types.hpp"
#include "src/codegen/memory_objects.hpp"

namespace jitc::codegen {

using namespace kernel;

FunctionEmitter::FunctionEmitter(const KernelProgram& program, llvm::Module& module, TargetHooks& hooks)
    : program_(program),
      module_(module),
      hooks_(hooks),
      builder_(module.getContext()),
      memory_(program.memory.size()),
      labels_(program.labels.size()),
      memo_(program.exprs.size()) {}

void FunctionEmitter::emit() { hooks_.emit_entry(*this); }

void FunctionEmitter::emit_thread() {
  thread_end_ = new_block("thread.end");
  zero_locals();
  emit_block(program_.body);
  if (is_open()) branch_to(thread_end_);
  enter(thread_end_);
}

llvm::BasicBlock* FunctionEmitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(context(), name, &function());
}

void FunctionEmitter::enter(llvm::BasicBlock* block) {
  if (block != &function().back()) block->moveAfter(&function().back());
  builder_.SetInsertPoint(block);
}

llvm::Type* FunctionEmitter::type(const Type& type) {
  if (type.is_pointer) return builder_.getPtrTy(hooks_.address_space(type.space));
  return register_type(context(), type.dtype);
}

void FunctionEmitter::set_params(std::vector<llvm::Value*> values) {
  params_ = std::move(values);
  for (size_t i = 0; i < params_.size(); ++i) {
    const Type& type = program_.params[i].type;
    if (!type.is_pointer && is_bool(type.dtype)) params_[i] = builder_.CreateIsNotNull(params_[i]);
  }
}

void FunctionEmitter::create_locals() {
  for (const Local& local : program_.locals) {
    locals_.push_back(builder_.CreateAlloca(type(local.type), nullptr, local.name));
  }
}

llvm::AllocaInst* FunctionEmitter::entry_alloca(llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = function().getEntryBlock();
  Builder at_entry(&entry, entry.getFirstInsertionPt());
  return at_entry.CreateAlloca(type, nullptr, name);
}

llvm::Value* FunctionEmitter::local_memory(uint32_t object) {
  llvm::AllocaInst*& made = memory_[object];
  if (made == nullptr) {
    const MemoryObject& declared = program_.memory[object];
    made = entry_alloca(memory_object_type(context(), declared), declared.name.c_str());
    made->setAlignment(llvm::Align(declared.align_bytes));
  }
  return made;
}

/// Per thread, not per function: on the CPU one function runs many threads, and none may see another's locals.
void FunctionEmitter::zero_locals() {
  for (llvm::AllocaInst* local : locals_) {
    builder_.CreateStore(llvm::Constant::getNullValue(local->getAllocatedType()), local);
  }
}

/// kGlobalIdx: %g = add nuw nsw i64 (mul nuw nsw i64 %block_idx, %block_dim), %thread_idx; CUDA's launch limits keep
/// it below 2^42.
llvm::Value* FunctionEmitter::thread_value(ThreadValue value, unsigned axis) {
  const auto basic = [&](ThreadValue v) { return hooks_.thread_value(*this, v, axis); };
  switch (value) {
    case ThreadValue::kThreadIdx:
    case ThreadValue::kBlockIdx:
    case ThreadValue::kBlockDim:
    case ThreadValue::kGridDim:
    case ThreadValue::kLaneId:
    case ThreadValue::kDynamicSharedBytes: return basic(value);
    case ThreadValue::kGlobalIdx: {
      llvm::Value* first =
          builder_.CreateMul(basic(ThreadValue::kBlockIdx), basic(ThreadValue::kBlockDim), "", true, true);
      return builder_.CreateAdd(first, basic(ThreadValue::kThreadIdx), "", true, true);
    }
    case ThreadValue::kGlobalDim:
      return builder_.CreateMul(basic(ThreadValue::kGridDim), basic(ThreadValue::kBlockDim), "", true, true);
    case ThreadValue::kWarpSize: return builder_.getInt64(32);
  }
  return nullptr;
}

}  // namespace jitc::codegen
