#include "src/codegen/llvm_session.hpp"

#include <mutex>

#include "src/base/check.hpp"

namespace jitc::codegen {

namespace {

void throw_fatal_error(void*, const char* reason, bool) { throw LlvmFatalError{reason}; }
void throw_bad_alloc(void*, const char*, bool) { throw std::bad_alloc(); }

void initialize_once() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::install_fatal_error_handler(throw_fatal_error);
  llvm::install_bad_alloc_error_handler(throw_bad_alloc);
}

}  // namespace

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, initialize_once);
}

void report_fatal(const LlvmFatalError& error) { throw base::InternalError("LLVM gave up: " + error.message); }

LlvmSession::LlvmSession(bool keep_names) {
  context.setDiscardValueNames(!keep_names);
  context.setDiagnosticHandlerCallBack(on_diagnostic, this);
}

void LlvmSession::drop_kept() {
  while (!kept_.empty()) kept_.pop_back();
}

void LlvmSession::on_diagnostic(const llvm::DiagnosticInfo* info, void* session) {
  auto& first_error = static_cast<LlvmSession*>(session)->first_error_;
  if (info->getSeverity() != llvm::DS_Error || !first_error.empty()) return;
  llvm::raw_string_ostream out(first_error);
  llvm::DiagnosticPrinterRawOStream printer(out);
  info->print(printer);
}

void LlvmSession::check_diagnostics(const char* stage) const {
  JITC_CHECK(first_error_.empty(), std::string("LLVM reports after ") + stage + ": " + first_error_);
}

void LlvmSession::verify(const char* stage) const {
  std::string problems;
  llvm::raw_string_ostream out(problems);
  const bool broken = llvm::verifyModule(*module, &out);
  JITC_CHECK(!broken, std::string("malformed module after ") + stage + ": " + problems);
}

}  // namespace jitc::codegen
