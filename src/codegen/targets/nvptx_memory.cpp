#include "src/codegen/targets/nvptx_memory.hpp"

#include "src/codegen/memory_objects.hpp"

namespace jitc::codegen {

using kernel::MemoryObject;
using kernel::MemorySpace;

namespace {

// Offers every scalar and every vector access of the dynamic shared memory its alignment.
constexpr uint64_t kDynamicAlign = 16;

///   @k__shared0 = internal addrspace(3) global [272 x float] undef, align 4
///   @k__const1 = internal addrspace(4) constant [3 x float] […], align 4
///   @k__dynamic_shared = external addrspace(3) global [0 x i8], align 16
llvm::Value* variable(FunctionEmitter& emitter, unsigned address_space, uint32_t index) {
  const MemoryObject& object = emitter.program().memory[index];
  llvm::Module& module = emitter.module();
  llvm::LLVMContext& context = emitter.context();
  const std::string name =
      object.dynamic ? emitter.program().symbol + "__dynamic_shared" : memory_object_name(emitter.program(), index);
  if (llvm::GlobalVariable* made = module.getGlobalVariable(name, true)) return made;
  const bool constant = object.space == MemorySpace::kConst;
  llvm::ArrayType* type =
      object.dynamic ? llvm::ArrayType::get(llvm::Type::getInt8Ty(context), 0) : memory_object_type(context, object);
  llvm::Constant* init = object.dynamic ? nullptr
                         : constant     ? memory_object_init(context, object)
                                        : llvm::UndefValue::get(type);
  const auto linkage = object.dynamic ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage;
  auto* made = new llvm::GlobalVariable(module, type, constant, linkage, init, name, nullptr,
                                        llvm::GlobalValue::NotThreadLocal, address_space);
  made->setAlignment(llvm::Align(object.dynamic ? kDynamicAlign : object.align_bytes));
  return made;
}

}  // namespace

/// Local arrays are allocas: LLVM turns small ones into registers and the rest into .local memory.
llvm::Value* nvptx_memory_base(FunctionEmitter& emitter, const TargetHooks& hooks, uint32_t object) {
  const MemorySpace space = emitter.program().memory[object].space;
  if (space == MemorySpace::kLocal) return emitter.local_memory(object);
  return variable(emitter, hooks.address_space(space), object);
}

}  // namespace jitc::codegen
