#include "runtime/emulator/ptx/token_reader.hpp"

#include <algorithm>

namespace jitc::emulator {
namespace {

/// A hostile token may be as long as the text.
constexpr size_t kLongestShown = 60;

std::string shown(const Token& token) {
  if (token.kind == TokenKind::end) return "the end of the text";
  const std::string_view text = token.text.substr(0, kLongestShown);
  return fmt::format("'{}{}'", text, text.size() < token.text.size() ? "…" : "");
}

}  // namespace

bool TokenReader::at(std::string_view text) const {
  return current_.text == text && current_.kind != TokenKind::string && current_.kind != TokenKind::end;
}

Token TokenReader::next() {
  Token token = current_;
  current_ = following_;
  following_ = lexer_.next();
  return token;
}

bool TokenReader::accept(std::string_view text) {
  if (!at(text)) return false;
  next();
  return true;
}

void TokenReader::expect(std::string_view text) {
  if (!accept(text)) fail_expected(fmt::format("'{}'", text));
}

Token TokenReader::expect(TokenKind kind, std::string_view what) {
  if (!at(kind)) fail_expected(what);
  return next();
}

uint64_t TokenReader::expect_integer(std::string_view what) {
  const bool is_negative = accept("-");
  const uint64_t bits = expect(TokenKind::integer, what).bits;
  return is_negative ? 0 - bits : bits;
}

uint64_t TokenReader::expect_count(std::string_view what, uint64_t largest) {
  const Token token = expect(TokenKind::integer, what);
  if (token.bits > largest) refuse(token.at, "{} must be at most {}", what, largest);
  return token.bits;
}

void TokenReader::fail_expected(std::string_view what) const {
  refuse(current_.at, "expected {}, found {}", what, shown(current_));
}

}  // namespace jitc::emulator
