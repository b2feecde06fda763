#include "runtime/cpu/object_loader.hpp"

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>

#include <utility>
#include <vector>

#include "runtime/common/error.hpp"
#include "runtime/cpu/runtime_symbols.hpp"

namespace jitc::runtime::cpu {

namespace {

namespace jl = llvm::jitlink;
using FinalizedAlloc = jl::JITLinkMemoryManager::FinalizedAlloc;

/// What linking leaves behind: code, or words why there is none.
struct LinkResult {
  FinalizedAlloc memory;
  llvm::orc::ExecutorAddr entry;
  std::string error;
};

/// The answers JITLink asks for while it links one graph. In one process all of them come before link() returns.
class LinkContext : public jl::JITLinkContext {
 public:
  LinkContext(jl::JITLinkMemoryManager& memory, std::string symbol, LinkResult& result)
      : JITLinkContext(nullptr), memory_(memory), symbol_(std::move(symbol)), result_(result) {}

  jl::JITLinkMemoryManager& getMemoryManager() override { return memory_; }

  void notifyFailed(llvm::Error error) override { result_.error = llvm::toString(std::move(error)); }

  void lookup(const LookupMap& symbols, std::unique_ptr<jl::JITLinkAsyncLookupContinuation> next) override {
    jl::AsyncLookupResult found;
    std::string missing;
    for (const auto& [name, flags] : symbols) {
      if (const auto address = find_runtime_symbol({name.data(), name.size()})) {
        found[name] = {llvm::orc::ExecutorAddr(*address), llvm::JITSymbolFlags::Exported};
      } else {
        missing += (missing.empty() ? "" : ", ") + name.str();
      }
    }
    if (missing.empty()) return next->run(std::move(found));
    next->run(llvm::make_error<llvm::StringError>("it refers to unknown symbols: " + missing,
                                                  llvm::inconvertibleErrorCode()));
  }

  llvm::Error notifyResolved(jl::LinkGraph& graph) override {
    for (const jl::Symbol* symbol : graph.defined_symbols()) {
      if (symbol->hasName() && symbol->getName() == symbol_ && symbol->isCallable()) {
        result_.entry = symbol->getAddress();
        return llvm::Error::success();
      }
    }
    return llvm::make_error<llvm::StringError>("it does not define the function " + symbol_,
                                               llvm::inconvertibleErrorCode());
  }

  void notifyFinalized(FinalizedAlloc memory) override { result_.memory = std::move(memory); }

 private:
  jl::JITLinkMemoryManager& memory_;
  std::string symbol_;
  LinkResult& result_;
};

}  // namespace

struct ObjectLoader::Impl {
  std::unique_ptr<jl::InProcessMemoryManager> memory;
};

namespace {

/// Shares the loader's memory manager, so that code may outlive the loader.
class JitLinkedObject : public LoadedObject {
 public:
  JitLinkedObject(std::shared_ptr<jl::JITLinkMemoryManager> manager, LinkResult result)
      : manager_(std::move(manager)), memory_(std::move(result.memory)), entry_(result.entry) {}

  ~JitLinkedObject() override {
    if (memory_) llvm::consumeError(manager_->deallocate(std::move(memory_)));
  }

  CpuKernel entry() const override { return entry_.toPtr<CpuKernel>(); }

 private:
  std::shared_ptr<jl::JITLinkMemoryManager> manager_;
  FinalizedAlloc memory_;
  llvm::orc::ExecutorAddr entry_;
};

/// The value, or Error(internal): machine code comes from our own compiler.
template <class T>
T take(llvm::Expected<T> value, const std::string& symbol) {
  if (value) return std::move(*value);
  fail(ErrorCode::internal, "the machine code of '{}' does not load: {}", symbol, llvm::toString(value.takeError()));
}

}  // namespace

ObjectLoader::ObjectLoader() : impl_(std::make_shared<Impl>()) {
  impl_->memory = take(jl::InProcessMemoryManager::Create(), "the CPU backend");
}
ObjectLoader::~ObjectLoader() = default;

std::unique_ptr<LoadedObject> ObjectLoader::load(const std::string& elf, const std::string& symbol) const {
  auto graph = take(jl::createLinkGraphFromObject({elf, symbol}), symbol);
  LinkResult result;
  jl::link(std::move(graph), std::make_unique<LinkContext>(*impl_->memory, symbol, result));
  if (!result.error.empty()) {
    fail(ErrorCode::internal, "the machine code of '{}' does not load: {}", symbol, result.error);
  }
  // The aliasing pointer keeps the manager's owner alive.
  return std::make_unique<JitLinkedObject>(std::shared_ptr<jl::JITLinkMemoryManager>(impl_, impl_->memory.get()),
                                           std::move(result));
}

}  // namespace jitc::runtime::cpu
