// The parser's view of the tokens: two in sight, and the few questions it asks of them.
#pragma once

#include <string_view>

#include "runtime/emulator/ptx/lexer.hpp"

namespace jitc::emulator {

class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : lexer_(text), current_(lexer_.next()), following_(lexer_.next()) {}

  const Token& peek() const { return current_; }
  const Token& peek_second() const { return following_; }
  bool at_end() const { return current_.kind == TokenKind::end; }
  bool at(std::string_view text) const;
  bool at(TokenKind kind) const { return current_.kind == kind; }

  Token next();
  /// Takes the token when it reads `text`.
  bool accept(std::string_view text);
  void expect(std::string_view text);
  Token expect(TokenKind kind, std::string_view what);
  /// An integer constant with an optional sign, as its bits.
  uint64_t expect_integer(std::string_view what);
  /// An unsigned integer of at most `largest`.
  uint64_t expect_count(std::string_view what, uint64_t largest);
  /// Throws LoadError: "expected <what>, found '<token>'".
  [[noreturn]] void fail_expected(std::string_view what) const;

 private:
  Lexer lexer_;
  Token current_;
  Token following_;
};

}  // namespace jitc::emulator
