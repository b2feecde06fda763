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
std::unique_ptr<llvm::Module> read_library(LlvmSession& session) {
  const std::string_view bytes = math::bitcode();
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), "math");
  auto library = llvm::getLazyBitcodeModule(buffer, session.context, /*ShouldLazyLoadMetadata=*/true);
  if (!library) JITC_CHECK(false, "the math library is unreadable: " + llvm::toString(library.takeError()));
  (*library)->setTargetTriple(session.module->getTargetTriple());
  (*library)->setDataLayout(session.module->getDataLayout());
  return std::move(*library);
}

}  // namespace

void link_math(LlvmSession& session) {
  if (!calls_math(*session.module)) return;
  const auto internalise = [](llvm::Module& module, const llvm::StringSet<>& linked) {
    for (const auto& name : linked) {
      llvm::GlobalValue* value = module.getNamedValue(name.getKey());
      if (value && !value->isDeclaration()) value->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  };
  const bool failed = llvm::Linker::linkModules(*session.module, read_library(session),
                                                llvm::Linker::Flags::LinkOnlyNeeded, internalise);
  session.check_diagnostics("linking the math library");
  JITC_CHECK(!failed, "the math library does not link");
}

}  // namespace jitc::codegen
