#include "src/codegen/line_info.hpp"

namespace jitc::codegen {

///   !1 = distinct !DICompileUnit(…, emissionKind: DebugDirectivesOnly)
///   !2 = distinct !DISubprogram(name: "axpy", file: "axpy.dsl", unit: !1)
void LineInfo::begin(const kernel::KernelProgram& program, llvm::Function& function) {
  if (!program.lines) return;
  lines_ = &*program.lines;
  llvm::Module& module = *function.getParent();
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  llvm::DIBuilder builder(module);
  llvm::DIFile* file = builder.createFile(lines_->file, "");
  builder.createCompileUnit(llvm::dwarf::DW_LANG_Python, file, "jitc", /*isOptimized=*/true, "", 0, "",
                            llvm::DICompileUnit::DebugDirectivesOnly);
  const uint32_t line =
      program.body.empty() ? 1 : lines_->lines.line_at(program.stmts[program.body.front()].span.begin);
  scope_ = builder.createFunction(file, program.name, program.symbol, file, line,
                                  builder.createSubroutineType(builder.getOrCreateTypeArray({})), line,
                                  llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  function.setSubprogram(scope_);
  builder.finalize();
}

void LineInfo::set(llvm::IRBuilderBase& builder, kernel::Span span) {
  const uint32_t line = lines_->lines.line_at(span.begin);
  const uint32_t column = span.begin - lines_->lines.start(line) + 1;  // in bytes, as line tables count
  builder.SetCurrentDebugLocation(llvm::DILocation::get(builder.getContext(), line, column, scope_));
}

}  // namespace jitc::codegen
