// The line table of a function: `.loc` directives in PTX, and nothing else of debug information.
#pragma once

#include "src/codegen/llvm.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::codegen {

class LineInfo {
 public:
  /// From here on `function` has lines, if the program has a table. The program outlives this.
  void begin(const kernel::KernelProgram& program, llvm::Function& function);
  /// What is emitted next is at the span; an empty one changes nothing.
  void enter(llvm::IRBuilderBase& builder, kernel::Span span) {
    if (scope_ != nullptr && span.begin != span.end) set(builder, span);
  }

 private:
  void set(llvm::IRBuilderBase& builder, kernel::Span span);

  const kernel::SourceLines* lines_ = nullptr;
  llvm::DISubprogram* scope_ = nullptr;  ///< null: no lines
};

}  // namespace jitc::codegen
