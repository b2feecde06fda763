// What is wrong with a PTX text, as the JIT log prints it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace jitc::emulator {

/// A place in a PTX text, both counted from 1.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// A text that cannot be loaded. what() is a line of the JIT log: "line 12, column 3; error: unknown instruction
/// 'foo'".
class LoadError : public std::exception {
 public:
  LoadError(Position at, std::string message);
  const char* what() const noexcept override { return line_.c_str(); }
  Position at() const { return at_; }
  const std::string& message() const { return message_; }

 private:
  Position at_;
  std::string message_;
  std::string line_;
};

/// The one place where a LoadError is born.
[[noreturn]] void refuse_text(Position at, std::string message);

template <class... Args>
[[noreturn]] void refuse(Position at, fmt::format_string<Args...> text, Args&&... args) {
  refuse_text(at, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace jitc::emulator
