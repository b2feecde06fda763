// All sources in one module, of which the library's functions can be seen.
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

#include <stdexcept>

#include "src/math/build_tool/build_math.hpp"

namespace jitc::math_build {

namespace {

std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext& context, const std::string& path) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(path, error, context);
  if (!module) throw std::runtime_error(path + ": " + error.getMessage().str());
  return module;
}

/// Only the roots may be seen from outside.
void internalize_all_but_roots(llvm::Module& module) {
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration()) continue;
    const bool is_root = llvm::isa<llvm::Function>(value) && value.getName().starts_with(kRootPrefix);
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setLinkage(is_root ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage);
    value.setDSOLocal(!is_root);
  }
}

}  // namespace

std::unique_ptr<llvm::Module> link_sources(llvm::LLVMContext& context, const std::vector<std::string>& source_paths) {
  auto module = std::make_unique<llvm::Module>("jitc_math", context);
  llvm::Linker linker(*module);
  for (const std::string& path : source_paths) {
    if (linker.linkInModule(read_module(context, path))) throw std::runtime_error(path + ": linking failed");
  }
  internalize_all_but_roots(*module);
  return module;
}

}  // namespace jitc::math_build
