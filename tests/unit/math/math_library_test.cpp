// The embedded bitcode as its users see it.
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include <catch2/catch.hpp>

#include "src/math/math_library.hpp"

namespace {

std::unique_ptr<llvm::Module> load(llvm::LLVMContext& context) {
  const std::string_view bytes = jitc::math::bitcode();
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef({bytes.data(), bytes.size()}, "math"), context);
  REQUIRE(static_cast<bool>(module));
  return std::move(*module);
}

llvm::Type* type_of(llvm::LLVMContext& context, const std::string& suffix) {
  return suffix == "_f4" ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
}

}  // namespace

TEST_CASE("the bitcode loads, verifies and names no target") {
  llvm::LLVMContext context;
  const auto module = load(context);
  CHECK_FALSE(llvm::verifyModule(*module));
  CHECK(module->getTargetTriple().empty());
  CHECK(module->getDataLayoutStr().empty());
}

TEST_CASE("each row of math.def is defined for f4 and f8 with its arity") {
  llvm::LLVMContext context;
  const auto module = load(context);
  struct Row {
    const char* name;
    unsigned arity;
  };
  const Row rows[] = {
#define JITC_MATH(id, name, arity) {name, arity},
#include "src/math/math.def"
#undef JITC_MATH
  };
  for (const Row& row : rows) {
    for (const std::string suffix : {"_f4", "_f8"}) {
      INFO(row.name << suffix);
      const llvm::Function* function = module->getFunction("jitc_" + std::string(row.name) + suffix);
      REQUIRE(function);
      CHECK_FALSE(function->isDeclaration());
      CHECK(function->hasExternalLinkage());
      REQUIRE(function->arg_size() == row.arity);
      CHECK(function->getArg(0)->getType() == type_of(context, suffix));
    }
  }
}

TEST_CASE("nothing is left undefined but intrinsics") {
  llvm::LLVMContext context;
  const auto module = load(context);
  for (const llvm::Function& function : *module) {
    INFO(function.getName().str());
    CHECK((!function.isDeclaration() || function.isIntrinsic()));
  }
}

TEST_CASE("the bitcode stays small") { CHECK(jitc::math::bitcode().size() < 250 * 1024); }
