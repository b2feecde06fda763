#include "src/codegen/stream_stores.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

namespace jitc::codegen {

namespace {

/// Narrower ones would leave lines half written, which is slower than any way through the caches.
constexpr uint64_t kLeastBytes = 16;

bool may_stream(const llvm::StoreInst& store) {
  if (!store.isSimple() || !store.getValueOperand()->getType()->isVectorTy()) return false;
  const llvm::DataLayout& layout = store.getModule()->getDataLayout();
  const uint64_t bytes = layout.getTypeStoreSize(store.getValueOperand()->getType());
  if (bytes < kLeastBytes || store.getAlign().value() < bytes) return false;
  return !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store.getPointerOperand(), 0));
}

/// Such stores are ordered by fences alone: Intel SDM volume 1, section 10.4.6.2.
void fence_before(llvm::Instruction& end) {
  new llvm::FenceInst(end.getContext(), llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::System, &end);
}

}  // namespace

void stream_stores(llvm::Module& module) {
  llvm::MDNode* one = llvm::MDNode::get(module.getContext(), llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                                                 llvm::Type::getInt32Ty(module.getContext()), 1)));
  for (llvm::Function& function : module) {
    bool streams = false;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store == nullptr || !may_stream(*store)) continue;
      store->setMetadata(llvm::LLVMContext::MD_nontemporal, one);
      streams = true;
    }
    if (!streams) continue;
    for (llvm::BasicBlock& block : function) {
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) fence_before(*end);
    }
  }
}

}  // namespace jitc::codegen
