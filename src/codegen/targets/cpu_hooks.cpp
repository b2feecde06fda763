#include "src/codegen/targets/cpu_hooks.hpp"

#include <cstddef>

#include "src/base/check.hpp"
#include "src/codegen/codegen.hpp"
#include "src/codegen/llvm_types.hpp"
#include "src/codegen/param_layout.hpp"
#include "src/codegen/print_format.hpp"
#include "src/kernel/kernel.hpp"
#include "src/kernel/regions.hpp"

namespace jitc::codegen {

using kernel::MemoryObject;
using kernel::MemorySpace;
using kernel::ThreadValue;

namespace {

llvm::Value* field(Builder& b, llvm::Value* base, size_t offset_bytes) {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset_bytes);
}

}  // namespace

// --- the function

void CpuHooks::begin_function(FunctionEmitter& emitter) {
  create_function(emitter);
  load_launch(emitter);
  emitter.set_params(load_params(emitter));
  emitter.create_locals();
  access_group_ = llvm::MDNode::getDistinct(emitter.context(), {});
  shared_layout_ = kernel::lay_out_memory(emitter.program(), MemorySpace::kShared);
}

///   define void @axpy(ptr %params, ptr %launch, i64 %block_begin, i64 %block_end, ptr align 64 %scratch)
void CpuHooks::create_function(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  llvm::Type* types[] = {b.getPtrTy(), b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty(), b.getPtrTy()};
  auto* type = llvm::FunctionType::get(b.getVoidTy(), types, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, emitter.program().symbol, emitter.module());
  function->setDoesNotThrow();
  params_ = function->getArg(0);
  launch_ = function->getArg(1);
  block_begin_ = function->getArg(2);
  block_end_ = function->getArg(3);
  scratch_ = function->getArg(4);
  function->addParamAttr(4, llvm::Attribute::getWithAlignment(emitter.context(), llvm::Align(64)));
  function->addParamAttr(4, llvm::Attribute::NoAlias);
  b.SetInsertPoint(llvm::BasicBlock::Create(emitter.context(), "entry", function));
}

///   %d = load i32, ptr %field, !range !{i32 1, i32 1025}
///   %block_dim.x = zext nneg i32 %d to i64
void CpuHooks::load_launch(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  llvm::MDBuilder metadata(emitter.context());
  const auto load = [&](size_t offset_bytes, uint64_t end) {
    llvm::LoadInst* dim = b.CreateLoad(b.getInt32Ty(), field(b, launch_, offset_bytes));
    dim->setMetadata(llvm::LLVMContext::MD_range, metadata.createRange(llvm::APInt(32, 1), llvm::APInt(32, end)));
    return b.CreateZExt(dim, b.getInt64Ty(), "", true);
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    grid_dim_[axis] = load(offsetof(CpuLaunch, grid) + axis * sizeof(uint32_t), grid_dim_end(axis));
    block_dim_[axis] = load(offsetof(CpuLaunch, block) + axis * sizeof(uint32_t), block_dim_end(axis));
  }
}

std::vector<llvm::Value*> CpuHooks::load_params(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  std::vector<llvm::Value*> values;
  const ParamLayout layout = lay_out_params(emitter.program());
  for (size_t i = 0; i < layout.slots.size(); ++i) {
    const kernel::Type& type = emitter.program().params[i].type;
    llvm::Type* loaded = type.is_pointer ? b.getPtrTy() : memory_type(emitter.context(), type.dtype);
    const llvm::Align align(layout.slots[i].size_bytes);
    llvm::LoadInst* load = b.CreateAlignedLoad(loaded, field(b, params_, layout.slots[i].offset_bytes), align);
    if (const uint32_t bytes = emitter.program().params[i].align_bytes; type.is_pointer && bytes > 1) {
      llvm::Metadata* multiple = llvm::ConstantAsMetadata::get(b.getInt64(bytes));
      load->setMetadata(llvm::LLVMContext::MD_align, llvm::MDNode::get(emitter.context(), multiple));
    }
    values.push_back(load);
  }
  return values;
}

// --- memory

void CpuHooks::describe(const kernel::KernelProgram& program, Artifact& artifact) const {
  artifact.cpu_scratch_bytes = kernel::static_shared_bytes(program);
}

llvm::Value* CpuHooks::memory_base(FunctionEmitter& emitter, uint32_t index) {
  const MemoryObject& object = emitter.program().memory[index];
  Builder& b = emitter.builder();
  if (object.space == MemorySpace::kConst) return constant_array(emitter, index);
  if (object.space == MemorySpace::kLocal) return local_array(emitter, index);
  const uint64_t offset = object.dynamic ? (shared_layout_.size_bytes + 63) / 64 * 64 : shared_layout_.offsets[index];
  return field(b, block_scratch(emitter), offset);
}

llvm::Value* CpuHooks::constant_array(FunctionEmitter& emitter, uint32_t index) {
  const std::string name = memory_object_name(emitter.program(), index);
  if (llvm::GlobalVariable* made = emitter.module().getGlobalVariable(name, true)) return made;
  const MemoryObject& object = emitter.program().memory[index];
  llvm::Constant* init = memory_object_init(emitter.context(), object);
  auto* made =
      new llvm::GlobalVariable(emitter.module(), init->getType(), true, llvm::GlobalValue::InternalLinkage, init, name);
  made->setAlignment(llvm::Align(object.align_bytes));
  return made;
}

llvm::Value* CpuHooks::dynamic_shared_bytes(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  return b.CreateLoad(b.getInt64Ty(), field(b, launch_, offsetof(CpuLaunch, dynamic_shared_bytes)));
}

llvm::Value* CpuHooks::round_up(Builder& b, llvm::Value* value, uint64_t unit) {
  return b.CreateAnd(b.CreateAdd(value, b.getInt64(unit - 1)), b.getInt64(~(unit - 1)));
}

llvm::Value* CpuHooks::byte_offset(Builder& b, llvm::Value* base, llvm::Value* offset_bytes) {
  return b.CreateInBoundsGEP(b.getInt8Ty(), base, offset_bytes);
}

// --- threads

llvm::Value* CpuHooks::thread_value(FunctionEmitter& emitter, ThreadValue value, unsigned axis) {
  if (value == ThreadValue::kThreadIdx) return thread_idx_[axis];
  if (value == ThreadValue::kBlockIdx) return block_idx_[axis];
  if (value == ThreadValue::kBlockDim) return block_dim_[axis];
  if (value == ThreadValue::kGridDim) return grid_dim_[axis];
  if (value == ThreadValue::kDynamicSharedBytes) return dynamic_shared_bytes(emitter);
  return lane_id(emitter.builder());
}

Axes CpuHooks::block_coordinates(Builder& b, llvm::Value* block) const {
  llvm::Value* line = b.CreateUDiv(block, grid_dim_[0]);
  return {b.CreateURem(block, grid_dim_[0]), b.CreateURem(line, grid_dim_[1]), b.CreateUDiv(line, grid_dim_[1])};
}

llvm::PHINode* CpuHooks::new_phi(Builder& b, llvm::Value* first, llvm::BasicBlock* from) {
  llvm::PHINode* phi = b.CreatePHI(first->getType(), 2);
  phi->addIncoming(first, from);
  return phi;
}

/// Threads are independent, so the row's iterations are: LLVM vectorises without tests for overlap. Not so for arrays
/// in the function's frame, which all threads of the row use one after the other.
void CpuHooks::mark_access(llvm::Instruction& access, MemorySpace space) {
  if (space == MemorySpace::kLocal) return;
  access.setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
}

llvm::MDNode* CpuHooks::loop_hints(FunctionEmitter& emitter, const LoopHints& hints) const {
  llvm::LLVMContext& context = emitter.context();
  const auto hint = [&](const char* name, llvm::ArrayRef<llvm::Metadata*> operands) {
    llvm::SmallVector<llvm::Metadata*> all = {llvm::MDString::get(context, name)};
    all.append(operands.begin(), operands.end());
    return llvm::MDNode::get(context, all);
  };
  llvm::SmallVector<llvm::Metadata*> nodes = {nullptr};
  if (hints.parallel) nodes.push_back(hint("llvm.loop.parallel_accesses", {access_group_}));
  if (hints.width != 0) {
    llvm::Metadata* on = llvm::ConstantAsMetadata::get(emitter.builder().getTrue());
    nodes.push_back(hint("llvm.loop.vectorize.enable", {on}));
    llvm::Metadata* width = llvm::ConstantAsMetadata::get(emitter.builder().getInt32(hints.width));
    nodes.push_back(hint("llvm.loop.vectorize.width", {width}));
  }
  if (!hints.vectorise) {
    llvm::Metadata* off = llvm::ConstantAsMetadata::get(emitter.builder().getFalse());
    nodes.push_back(hint("llvm.loop.vectorize.enable", {off}));
  } else if (!hints.unroll) {
    llvm::Metadata* one = llvm::ConstantAsMetadata::get(emitter.builder().getInt32(1));
    nodes.push_back(hint("llvm.loop.interleave.count", {one}));
  }
  if (!hints.unroll) nodes.push_back(hint("llvm.loop.unroll.disable", {}));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, nodes);
  loop->replaceOperandWith(0, loop);
  return loop;
}

/// Unrolled before it is a vector loop it would never become one; the few vectors that are left of it are unrolled, so
/// that what they accumulate stays in registers.
///   !{!self, !{!"llvm.loop.parallel_accesses", !group}, !{!"llvm.loop.unroll.disable"},
///     !{!"llvm.loop.vectorize.followup_vectorized", !{!"llvm.loop.isvectorized", i32 1}}}
llvm::MDNode* CpuHooks::lane_hints(FunctionEmitter& emitter, unsigned count) {
  // Of a known number: one vector, of as many registers as it takes, and nothing is left of the loop.
  if (count != 0) return loop_hints(emitter, {.parallel = true, .unroll = false, .width = count});
  llvm::LLVMContext& context = emitter.context();
  const auto text = [&](const char* name) { return llvm::MDString::get(context, name); };
  llvm::Metadata* one = llvm::ConstantAsMetadata::get(emitter.builder().getInt32(1));
  llvm::Metadata* done = llvm::MDNode::get(context, {text("llvm.loop.isvectorized"), one});
  llvm::Metadata* nodes[] = {nullptr, llvm::MDNode::get(context, {text("llvm.loop.parallel_accesses"), access_group_}),
                             llvm::MDNode::get(context, {text("llvm.loop.unroll.disable")}),
                             llvm::MDNode::get(context, {text("llvm.loop.vectorize.followup_vectorized"), done})};
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, nodes);
  loop->replaceOperandWith(0, loop);
  return loop;
}

/// Vectors multiply the body (main loop, remainder, lanes); a large one is left alone, since its compile time grows
/// with more than its square.
bool CpuHooks::is_small_enough_for_vectors(const kernel::KernelProgram& program) {
  constexpr size_t kMaxVectorisedNodes = 2000;
  return kernel::node_count(program) <= kMaxVectorisedNodes;
}

// --- effects

llvm::Value* CpuHooks::fail_record(FunctionEmitter& emitter) {
  Builder& b = emitter.builder();
  return b.CreateLoad(b.getPtrTy(), field(b, launch_, offsetof(CpuLaunch, fail)));
}

void CpuHooks::publish_failure(FunctionEmitter& emitter, llvm::Value* state_ptr, llvm::Value* state) {
  llvm::StoreInst* store = emitter.builder().CreateAlignedStore(state, state_ptr, llvm::Align(4));
  store->setAtomic(llvm::AtomicOrdering::Release);
}

/// A block is on one thread of the host at a time: within it there is nothing to order.
void CpuHooks::emit_fence(FunctionEmitter& emitter, kernel::FenceScope scope) {
  if (scope == kernel::FenceScope::kBlock) return;
  emitter.builder().CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
}

///   call void @jitc_print_line(ptr @format, ptr %args)
void CpuHooks::emit_print(FunctionEmitter& emitter, const kernel::Print& stmt) {
  Builder& b = emitter.builder();
  const PrintCall call = emit_print_call(emitter, stmt, 0);
  llvm::Value* args[] = {call.format, emit_print_buffer(emitter, call)};
  auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), b.getPtrTy()}, false);
  b.CreateCall(emitter.module().getOrInsertFunction("jitc_print_line", type), args);
}

std::unique_ptr<TargetHooks> make_cpu_hooks(const kernel::KernelProgram& program) {
  if (!kernel::has_meetings(program)) return make_cpu_row_hooks();
  constexpr uint64_t kMostPlanBytes = uint64_t{512} << 20;
  if (kernel::plan_size_bytes(program) > kMostPlanBytes) {
    throw TargetError("kernel '" + program.name + "' is too large for the CPU: it has " +
                      std::to_string(program.stmts.size()) + " statements and " +
                      std::to_string(program.locals.size()) + " variables between its barriers");
  }
  return make_cpu_region_hooks(program);
}

}  // namespace jitc::codegen
