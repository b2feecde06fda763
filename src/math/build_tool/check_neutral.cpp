// What the library promises its users, checked on the module that is about to be written.
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <set>

#include "src/math/build_tool/build_math.hpp"

namespace jitc::math_build {

namespace {

/// Selectable on NVPTX and on every CPU, with one defined result.
bool is_allowed(llvm::Intrinsic::ID id) {
  switch (id) {
#define JITC_ALLOWED(name) case llvm::Intrinsic::name:
#include "src/math/build_tool/allowed_intrinsics.def"
    return true;
    default: return false;
  }
}

void check_declaration(const llvm::Function& function, std::vector<std::string>& problems) {
  if (!function.isIntrinsic()) {
    problems.push_back("undefined function " + function.getName().str());
  } else if (!is_allowed(function.getIntrinsicID())) {
    problems.push_back("intrinsic outside the allow-list: " + function.getName().str());
  }
}

bool is_in_other_space(const llvm::Value& value) {
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(value.getType());
  return pointer && pointer->getAddressSpace() != 0;
}

void check_instruction(const llvm::Instruction& instruction, std::vector<std::string>& problems) {
  const std::string where = " in " + instruction.getFunction()->getName().str();
  if (instruction.getOpcode() == llvm::Instruction::FRem) problems.push_back("frem" + where);
  if (is_in_other_space(instruction)) problems.push_back("address space" + where);
  for (const llvm::Use& operand : instruction.operands()) {
    if (is_in_other_space(*operand)) problems.push_back("address space" + where);
  }
  if (llvm::isa<llvm::FPMathOperator>(instruction) && instruction.getFastMathFlags().any()) {
    problems.push_back("fast-math flag" + where);
  }
}

bool has_f8(const llvm::Instruction& instruction) {
  if (instruction.getType()->getScalarType()->isDoubleTy()) return true;
  for (const llvm::Use& operand : instruction.operands()) {
    if (operand->getType()->getScalarType()->isDoubleTy()) return true;
  }
  return false;
}

/// Name of the function with f8 arithmetic that `function` reaches, or an empty string.
std::string find_f8(const llvm::Function& function, std::set<const llvm::Function*>& seen) {
  if (!seen.insert(&function).second) return "";
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (has_f8(instruction)) return function.getName().str();
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->getCalledFunction()) continue;
    if (std::string name = find_f8(*call->getCalledFunction(), seen); !name.empty()) return name;
  }
  return "";
}

/// f4 kernels must hold no f8 instruction: many GPUs run those at a sixty-fourth of the speed.
void check_f4(const llvm::Function& function, std::vector<std::string>& problems) {
  if (!function.getName().starts_with(kRootPrefix) || !function.getName().ends_with("_f4")) return;
  std::set<const llvm::Function*> seen;
  if (const std::string name = find_f8(function, seen); !name.empty()) {
    problems.push_back(function.getName().str() + " uses f8 arithmetic (in " + name + ")");
  }
}

}  // namespace

std::vector<std::string> check_neutral(const llvm::Module& module) {
  std::vector<std::string> problems;
  std::string verifier_text;
  llvm::raw_string_ostream verifier_stream(verifier_text);
  if (llvm::verifyModule(module, &verifier_stream)) problems.push_back(verifier_text);
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) check_declaration(function, problems);
    for (const llvm::Instruction& instruction : llvm::instructions(function)) check_instruction(instruction, problems);
    check_f4(function, problems);
  }
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (!global.hasInitializer() || !global.isConstant()) problems.push_back("not a table: " + global.getName().str());
  }
  return problems;
}

}  // namespace jitc::math_build
