// What jitc throws.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "jitc/api.hpp"

namespace jitc {

/// Kinds of failure a caller may want to tell apart.
enum class ErrorCode {
  compile,   ///< the kernel text is wrong: CompileError
  argument,  ///< a launch's arguments do not fit the kernel
  launch,    ///< grid, block or device refuse the launch
  kernel,    ///< a checked kernel stopped: index out of range, assertion …
  device,    ///< no such device, or it failed
  memory,    ///< out of memory
  io,        ///< a file could not be read or written
  target,    ///< no such target
  internal,  ///< a bug of jitc
};

/// Everything jitc throws derives from this.
class JITC_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

/// A call of a device's driver failed; what() says what was being done, the call, its code and the code's text. The
/// ErrorCode is memory, target or launch where the driver's code means that, and device for all else.
class JITC_API DriverError : public Error {
 public:
  DriverError(ErrorCode code, const std::string& message, std::string call, int driver_code, std::string code_name)
      : Error(code, message), call_(std::move(call)), driver_code_(driver_code), code_name_(std::move(code_name)) {}
  /// "cuMemAlloc_v2"
  const std::string& call() const noexcept { return call_; }
  int driver_code() const noexcept { return driver_code_; }
  /// "CUDA_ERROR_OUT_OF_MEMORY"
  const std::string& code_name() const noexcept { return code_name_; }

 private:
  std::string call_;
  int driver_code_;
  std::string code_name_;
};

/// 1-based; columns count characters.
struct SourceRange {
  uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};

/// One message about the kernel text.
struct DiagnosticMessage {
  std::string code;  ///< "JT0301"
  bool is_error = true;
  std::string message;
  SourceRange range;
  std::string help;
  std::string rendered;  ///< as the command line shows it: with the line, carets and labels
};

/// The kernel text does not compile; what() holds all rendered messages.
class JITC_API CompileError : public Error {
 public:
  CompileError(const std::string& rendered, std::vector<DiagnosticMessage> diagnostics)
      : Error(ErrorCode::compile, rendered), diagnostics_(std::move(diagnostics)) {}
  const std::vector<DiagnosticMessage>& diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<DiagnosticMessage> diagnostics_;
};

}  // namespace jitc
