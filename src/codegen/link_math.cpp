#include "src/codegen/link_math.hpp"

#include <algorithm>

#include "src/base/check.hpp"
#include "src/math/math_library.hpp"

namespace jitc::codegen {

namespace {

bool calls_math(const llvm::Module& module) {
  return std::any_of(module.begin(), module.end(),
                     [](const llvm::Function& f) { return f.isDeclaration() && f.getName().starts_with("jitc_"); });
}

/// The library's module with its function bodies still unread.
llvm::Expected<std::unique_ptr<llvm::Module>> read_library(llvm::LLVMContext& context) {
  const std::string_view bytes = math::bitcode();
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), "math");
  return llvm::getLazyBitcodeModule(buffer, context, /*ShouldLazyLoadMetadata=*/true);
}

}  // namespace

void link_needed(LlvmSession& session, llvm::Expected<std::unique_ptr<llvm::Module>> library, const std::string& what,
                 const std::function<void(llvm::Function&)>& adopt) {
  if (!library) JITC_CHECK(false, what + " is unreadable: " + llvm::toString(library.takeError()));
  (*library)->setTargetTriple(session.module->getTargetTriple());
  (*library)->setDataLayout(session.module->getDataLayout());
  const auto take_in = [&](llvm::Module& module, const llvm::StringSet<>& linked) {
    for (const auto& name : linked) {
      llvm::GlobalValue* value = module.getNamedValue(name.getKey());
      if (value == nullptr || value->isDeclaration()) continue;
      value->setLinkage(llvm::GlobalValue::InternalLinkage);
      if (auto* function = llvm::dyn_cast<llvm::Function>(value); function != nullptr && adopt) adopt(*function);
    }
  };
  const bool failed =
      llvm::Linker::linkModules(*session.module, std::move(*library), llvm::Linker::Flags::LinkOnlyNeeded, take_in);
  session.check_diagnostics(("linking " + what).c_str());
  JITC_CHECK(!failed, what + " does not link");
}

void link_math(LlvmSession& session) {
  if (calls_math(*session.module)) link_needed(session, read_library(session.context), "the math library");
}

}  // namespace jitc::codegen
