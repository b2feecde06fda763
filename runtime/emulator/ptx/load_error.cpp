#include "runtime/emulator/ptx/load_error.hpp"

namespace jitc::emulator {

LoadError::LoadError(Position at, std::string message)
    : at_(at),
      message_(std::move(message)),
      line_(fmt::format("line {}, column {}; error: {}", at.line, at.column, message_)) {}

void refuse_text(Position at, std::string message) { throw LoadError(at, std::move(message)); }

}  // namespace jitc::emulator
