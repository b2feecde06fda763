// What one compile owns of LLVM, and the wall that keeps LLVM's failures from ending the process.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <vector>

#include "src/codegen/llvm.hpp"

namespace jitc::codegen {

/// Thrown by our fatal-error handler through LLVM's frames; caught in with_session alone.
struct LlvmFatalError {
  std::string message;
};

/// Context, machine and module of one compile. Used by one thread at a time.
class LlvmSession {
 public:
  explicit LlvmSession(bool keep_names);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;

  /// Keeps an object of LLVM's alive until drop_kept(). An object on the stack would be destroyed while a fatal error
  /// unwinds out of its own member functions; one that is kept is abandoned with the session.
  template <class T, class... Args>
  T& keep(Args&&... args) {
    auto object = std::make_shared<T>(std::forward<Args>(args)...);
    kept_.push_back(object);
    return *object;
  }
  template <class T>
  T& keep(std::unique_ptr<T> object) {
    kept_.push_back(std::shared_ptr<T>(std::move(object)));
    return *static_cast<T*>(kept_.back().get());
  }
  /// Destroys what was kept, the newest first.
  void drop_kept();

  /// Throws InternalError when LLVM has reported an error diagnostic so far.
  void check_diagnostics(const char* stage) const;
  /// Throws InternalError when the module is malformed after `stage`.
  void verify(const char* stage) const;

  ~LlvmSession() { drop_kept(); }
  LlvmSession(const LlvmSession&) = delete;
  LlvmSession& operator=(const LlvmSession&) = delete;

 private:
  static void on_diagnostic(const llvm::DiagnosticInfo* info, void* session);

  std::string first_error_;
  std::vector<std::shared_ptr<void>> kept_;
};

/// Registers NVPTX and the host's target and installs the error handlers, once in the process. Thread-safe.
void initialize_llvm();

[[noreturn]] void report_fatal(const LlvmFatalError& error);

/// Runs `body(LlvmSession&)`. A fatal error of LLVM becomes an InternalError. After one, as after a failed allocation,
/// the session's state is anyone's guess: it is abandoned, never destroyed, never used again.
template <class Body>
auto with_session(bool keep_names, Body&& body) {
  initialize_llvm();
  auto session = std::make_unique<LlvmSession>(keep_names);
  try {
    return body(*session);
  } catch (const LlvmFatalError& error) {
    static_cast<void>(session.release());
    report_fatal(error);
  } catch (const std::bad_alloc&) {
    static_cast<void>(session.release());
    throw;
  }
}

}  // namespace jitc::codegen
