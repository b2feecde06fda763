// Statements that an assembler refuses, and some that it takes.
#pragma once

#include <span>
#include <string_view>

namespace jitc::emulator_test {

struct WrongSnippet {
  std::string_view body;     ///< of entry_text
  std::string_view message;  ///< what the emulator says, without the place
};

/// Bodies that ptxas refuses too.
std::span<const WrongSnippet> wrong_snippets();

/// Bodies that ptxas and the emulator both take.
std::span<const std::string_view> right_snippets();

}  // namespace jitc::emulator_test
