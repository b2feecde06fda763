// Kernel IR to LLVM IR, one function: locals become entry allocas, structured control flow becomes blocks.
#pragma once

#include <vector>

#include "src/codegen/emit_integer.hpp"
#include "src/codegen/line_info.hpp"
#include "src/codegen/target_hooks.hpp"
#include "src/codegen/thread_guard.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::codegen {

class FunctionEmitter {
 public:
  FunctionEmitter(const kernel::KernelProgram& program, llvm::Module& module, TargetHooks& hooks);

  /// Adds the program's entry function to the module.
  void emit();

  // --- for the hooks

  const kernel::KernelProgram& program() const { return program_; }
  llvm::Module& module() { return module_; }
  llvm::LLVMContext& context() { return module_.getContext(); }
  Builder& builder() { return builder_; }
  llvm::Function& function() { return *builder_.GetInsertBlock()->getParent(); }
  llvm::BasicBlock* new_block(const char* name);
  /// Goes on at the start of `block`, which moves behind all others: the text has the order of emission, and NVPTX
  /// keeps it.
  void enter(llvm::BasicBlock* block);

  /// The values of KernelProgram::params, in memory form (b1 as i8).
  void set_params(std::vector<llvm::Value*> values);
  /// Makes the locals' storage at the builder's place, which must be the entry block.
  void create_locals();
  llvm::AllocaInst* local(kernel::LocalId id) const { return locals_[id.index]; }
  /// Storage in the frame of the whole function.
  llvm::AllocaInst* entry_alloca(llvm::Type* type, const char* name);
  /// Address of a local array, in the frame of the whole function.
  llvm::Value* local_memory(uint32_t object);
  /// The If statements of `guard` test only what it leaves to them.
  void use_guard(ThreadGuard guard) { guard_ = std::move(guard); }

  /// What is emitted from now on is told by line, where the program has a table of them.
  void use_lines() { lines_.begin(program_, function()); }

  /// The whole body of one thread, ending in a block of its own.
  void emit_thread();
  /// Where ended threads go.
  void set_thread_end(llvm::BasicBlock* block) { thread_end_ = block; }
  llvm::BasicBlock* thread_end() const { return thread_end_; }
  /// The blocks that leave or continue `label`; without them its jumps are the hooks'.
  void set_label(kernel::LabelId label, llvm::BasicBlock* exit, llvm::BasicBlock* step) {
    labels_[label.index] = {exit, step};
  }

  void emit_block(const kernel::Block& block);
  /// A scalar as its register type, or a pointer. Emits the whole expression at the builder's place.
  llvm::Value* value(kernel::ExprId id);
  llvm::Value* thread_value(kernel::ThreadValue value, unsigned axis);
  void emit_fail(const kernel::Fail& stmt);
  void branch_to(llvm::BasicBlock* target);
  bool is_open() const { return builder_.GetInsertBlock()->getTerminator() == nullptr; }
  /// Forgets the values of earlier statements: locals and memory may have changed since.
  void begin_statement();

 private:
  struct LabelTargets {
    llvm::BasicBlock* exit = nullptr;
    llvm::BasicBlock* step = nullptr;  ///< loops only
  };

  llvm::Type* type(const kernel::Type& type);
  void zero_locals();

  // emit_expr.cpp: operands are in memo_ already
  llvm::Value* operand(kernel::ExprId id) const { return memo_[id.index]; }
  DType dtype(kernel::ExprId id) const { return program_.exprs[id].type.dtype; }
  llvm::Value* emit_node(const kernel::Expr& expr);
  llvm::Value* emit_constant(const kernel::Type& type, uint64_t bits);
  llvm::Value* emit_int_pow(DType dtype, llvm::Value* base, llvm::Value* exponent);
  llvm::Value* emit_fma(const kernel::Fma& node);
  llvm::Value* emit_math_call(const kernel::MathCall& call);
  llvm::Value* emit_typed_math_call(const kernel::MathCall& call);
  llvm::Value* call_math(const std::string& symbol, llvm::Type* result, llvm::ArrayRef<llvm::Value*> args);

  // emit_memory.cpp
  llvm::Value* emit_address(const kernel::MemRef& ref);
  llvm::Value* emit_term(llvm::Value* ptr, DType elem, const kernel::AddressTerm& term);
  llvm::Value* emit_load(const kernel::MemRef& ref, DType dtype);
  void emit_store(const kernel::Store& stmt);

  // emit_stmt.cpp
  void emit_stmt(kernel::StmtId id);
  void emit_if(kernel::StmtId id, const kernel::If& stmt);
  void emit_guard(const GuardIf& guard, const kernel::If& stmt);
  void emit_branches(llvm::Value* cond, const kernel::Block* then_block, const kernel::Block* else_block);
  void emit_loop(const kernel::Loop& stmt);
  void emit_scope(const kernel::Scope& stmt);
  void emit_jump(kernel::LabelId label, llvm::BasicBlock* target, bool is_continue);
  void emit_record(const kernel::Fail& stmt, llvm::Value* record);
  void store_result(kernel::LocalId result, llvm::Value* value);

  // emit_atomic.cpp
  void emit_atomic(const kernel::Atomic& stmt);
  llvm::Value* emit_atomic_update(kernel::AtomicOp op, DType dtype, llvm::Value* ptr, llvm::Value* operand_value,
                                  llvm::Value* expected);
  llvm::Value* emit_exchange_loop(kernel::AtomicOp op, DType dtype, llvm::Value* ptr, llvm::Value* operand_value);
  llvm::Value* emit_plain_update(kernel::AtomicOp op, DType dtype, llvm::Value* ptr, llvm::Value* operand_value,
                                 llvm::Value* expected);

  const kernel::KernelProgram& program_;
  llvm::Module& module_;
  TargetHooks& hooks_;
  Builder builder_;
  LineInfo lines_;
  ThreadGuard guard_;
  std::vector<llvm::Value*> params_;
  std::vector<llvm::AllocaInst*> locals_;
  std::vector<llvm::AllocaInst*> memory_;  ///< local arrays, by object
  std::vector<LabelTargets> labels_;
  llvm::BasicBlock* thread_end_ = nullptr;
  std::vector<llvm::Value*> memo_;  ///< by ExprId, for the current statement
  std::vector<uint32_t> memoised_;  ///< the entries of memo_ that are set
};

}  // namespace jitc::codegen
