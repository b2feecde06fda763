// Everything that ties a function to a target, or permits a compiler to change its results, is removed here.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <stdexcept>
#include <vector>

#include "src/math/build_tool/build_math.hpp"

namespace jitc::math_build {

namespace {

/// Facts about the body that hold on every target; all else (features, convergence, inline hints) goes.
constexpr llvm::Attribute::AttrKind kKeptAttributes[] = {
    llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::Memory,      llvm::Attribute::NoSync,
    llvm::Attribute::NoFree,   llvm::Attribute::NoRecurse,  llvm::Attribute::MustProgress};

void keep_neutral_attributes(llvm::Function& function) {
  llvm::AttrBuilder kept(function.getContext());
  for (const llvm::Attribute::AttrKind kind : kKeptAttributes) {
    if (function.hasFnAttribute(kind)) kept.addAttribute(function.getFnAttribute(kind));
  }
  function.setAttributes(llvm::AttributeList::get(function.getContext(), llvm::AttributeList::FunctionIndex, kept));
  function.setCallingConv(llvm::CallingConv::C);
  function.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
  function.setComdat(nullptr);
}

void drop_hints(llvm::Instruction& instruction) {
  instruction.dropUnknownNonDebugMetadata();
  instruction.setDebugLoc({});
  if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setFastMathFlags({});
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    call->setAttributes({});
    call->setCallingConv(llvm::CallingConv::C);
    call->setTailCallKind(llvm::CallInst::TCK_None);
  }
}

void replace_with_intrinsic(llvm::Instruction& instruction, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types,
                            llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::IRBuilder<> builder(&instruction);
  llvm::CallInst* call = builder.CreateIntrinsic(id, types, arguments);
  instruction.replaceAllUsesWith(call);
  instruction.eraseFromParent();
}

/// fmuladd leaves the choice to the back end.
void replace_fmuladd(llvm::IntrinsicInst& call) {
  const std::vector<llvm::Value*> arguments(call.arg_begin(), call.arg_end());
  replace_with_intrinsic(call, llvm::Intrinsic::fma, {call.getType()}, arguments);
}

/// minnum(x, c) may give either zero, and targets differ; `x < c ? x : c` is the same for all other values of a
/// constant c that is no nan.
void replace_minnum(llvm::IntrinsicInst& call) {
  const auto* bound = llvm::dyn_cast<llvm::ConstantFP>(call.getArgOperand(1));
  if (!bound || bound->isNaN() || bound->isZero()) return;
  llvm::IRBuilder<> builder(&call);
  llvm::Value* is_less = builder.CreateFCmpOLT(call.getArgOperand(0), call.getArgOperand(1));
  call.replaceAllUsesWith(builder.CreateSelect(is_less, call.getArgOperand(0), call.getArgOperand(1)));
  call.eraseFromParent();
}

/// fptosi is poison outside its range.
void make_total(llvm::Instruction& instruction) {
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    if (call->getIntrinsicID() == llvm::Intrinsic::fmuladd) return replace_fmuladd(*call);
    if (call->getIntrinsicID() == llvm::Intrinsic::minnum) return replace_minnum(*call);
  } else if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction)) {
    const bool is_signed = llvm::isa<llvm::FPToSIInst>(instruction);
    llvm::Value* value = instruction.getOperand(0);
    replace_with_intrinsic(instruction, is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                           {instruction.getType(), value->getType()}, {value});
  }
}

void make_neutral(llvm::Function& function) {
  keep_neutral_attributes(function);
  std::vector<llvm::Instruction*> instructions;
  for (llvm::Instruction& instruction : llvm::instructions(function)) instructions.push_back(&instruction);
  for (llvm::Instruction* instruction : instructions) {
    drop_hints(*instruction);
    make_total(*instruction);
  }
}

/// Points every use of `from` at `to`, which lives in address space 0. Tables are only indexed and read.
void move_uses(llvm::Value& from, llvm::Value& to) {
  const std::vector<llvm::User*> users(from.user_begin(), from.user_end());
  for (llvm::User* user : users) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      load->setOperand(llvm::LoadInst::getPointerOperandIndex(), &to);
    } else if (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(user)) {
      const std::vector<llvm::Value*> indices(gep->idx_begin(), gep->idx_end());
      auto* constant = llvm::dyn_cast<llvm::ConstantExpr>(user);
      llvm::Value* moved =
          constant ? static_cast<llvm::Value*>(llvm::ConstantExpr::getGetElementPtr(
                         gep->getSourceElementType(), llvm::cast<llvm::Constant>(&to), indices, gep->getNoWrapFlags()))
                   : llvm::GetElementPtrInst::Create(gep->getSourceElementType(), &to, indices, "",
                                                     llvm::cast<llvm::Instruction>(user)->getIterator());
      move_uses(*user, *moved);
      if (!constant) llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    } else {
      throw std::runtime_error("a table is used by something else than an index or a load");
    }
  }
}

void move_tables_to_generic_space(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> tables;
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.getAddressSpace() != 0) tables.push_back(&global);
  }
  for (llvm::GlobalVariable* table : tables) {
    auto* moved = new llvm::GlobalVariable(module, table->getValueType(), table->isConstant(), table->getLinkage(),
                                           table->getInitializer(), table->getName());
    moved->setAlignment(table->getAlign());
    moved->setDSOLocal(true);
    moved->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    move_uses(*table, *moved);
    table->removeDeadConstantUsers();
    table->eraseFromParent();
  }
}

}  // namespace

void make_neutral(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) make_neutral(function);
  }
  move_tables_to_generic_space(module);
  while (!module.named_metadata_empty()) module.named_metadata_begin()->eraseFromParent();
}

}  // namespace jitc::math_build
