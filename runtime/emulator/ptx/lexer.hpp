// PTX text to tokens, one at a time.
#pragma once

#include <string_view>

#include "runtime/emulator/ptx/token.hpp"

namespace jitc::emulator {

/// Reads tokens of `text`, which outlives them. Throws LoadError at a byte that starts no token.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  /// The next token; of kind `end` from the end of the text on.
  Token next();

 private:
  void skip_space();
  bool skip_comment();
  void advance(size_t count_bytes);
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  Token take(TokenKind kind, size_t count_bytes);
  Token take_word(TokenKind kind);
  Token take_directive();
  Token take_string();
  Token take_number();
  Token take_hex_real(TokenKind kind, size_t digits);
  Token take_integer();
  Token take_decimal_real(size_t length);

  std::string_view text_;
  size_t at_ = 0;
  Position position_;
};

}  // namespace jitc::emulator
