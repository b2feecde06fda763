// The steps that turn compiled device sources into one target-neutral module. Runs at build time only.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace jitc::math_build {

/// Names of the functions the library exports start with this.
inline constexpr char kRootPrefix[] = "jitc_";

/// Links the sources; everything but the roots becomes internal. Throws std::runtime_error with the file and LLVM's
/// message.
std::unique_ptr<llvm::Module> link_sources(llvm::LLVMContext& context, const std::vector<std::string>& source_paths);

/// Removes what ties the code to a target or lets a compiler change results: target attributes, convergence,
/// address spaces of tables, metadata, fast-math flags; makes `fmuladd` an `fma` and float-to-int total.
void make_neutral(llvm::Module& module);

/// LLVM's -O2 without vectorisation and unrolling, which are the user's module's business.
void optimize(llvm::Module& module);

/// Drops triple, data layout and names of the build.
void strip_origin(llvm::Module& module);

/// One line per broken promise: declarations left, intrinsics outside the allow-list, address spaces, f8 in an f4
/// function, LLVM's verifier.
std::vector<std::string> check_neutral(const llvm::Module& module);

}  // namespace jitc::math_build
