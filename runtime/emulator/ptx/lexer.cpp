#include "runtime/emulator/ptx/lexer.hpp"

#include <bit>
#include <charconv>

namespace jitc::emulator {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_digit(c) || is_letter(c) || c == '_' || c == '$'; }
bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

constexpr std::string_view kPunctuation = "{}()[]<>,;:+-*/@!|=&~^?";

}  // namespace

Token Lexer::next() {
  skip_space();
  const char c = peek();
  if (at_ >= text_.size()) return take(TokenKind::end, 0);
  if (starts_word(c)) return take_word(TokenKind::identifier);
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return take_number();
  if (c == '.') return take_directive();
  if (c == '"') return take_string();
  if (kPunctuation.find(c) != std::string_view::npos) return take(TokenKind::punctuation, 1);
  refuse(position_, "unexpected character '{}'",
         c >= ' ' && c <= '~' ? std::string(1, c) : "\\" + std::to_string(c & 255));
}

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    if (is_space(peek())) {
      advance(1);
    } else if (!skip_comment()) {
      return;
    }
  }
}

bool Lexer::skip_comment() {
  if (peek() != '/' || (peek(1) != '/' && peek(1) != '*')) return false;
  const bool is_line = peek(1) == '/';
  const size_t end = is_line ? text_.find('\n', at_) : text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) {
    if (!is_line) refuse(position_, "comment without end");
    advance(text_.size() - at_);
  } else {
    advance(end - at_ + (is_line ? 0 : 2));
  }
  return true;
}

void Lexer::advance(size_t count_bytes) {
  for (const size_t end = at_ + count_bytes; at_ < end; ++at_) {
    position_.column = text_[at_] == '\n' ? 1 : position_.column + 1;
    if (text_[at_] == '\n') ++position_.line;
  }
}

Token Lexer::take(TokenKind kind, size_t count_bytes) {
  Token token = {kind, text_.substr(at_, count_bytes), position_, 0};
  advance(count_bytes);
  return token;
}

// word: [a-zA-Z_$%] [a-zA-Z0-9_$]*
Token Lexer::take_word(TokenKind kind) {
  size_t length = 1;
  while (is_word(peek(length))) ++length;
  if (length == 1 && peek() == '%') refuse(position_, "expected a name after '%'");
  return take(kind, length);
}

// directive: '.' word characters, with '::' between parts (.shared::cta)
Token Lexer::take_directive() {
  size_t length = 1;
  while (is_word(peek(length)) || (peek(length) == ':' && peek(length + 1) == ':' && is_word(peek(length + 2)))) {
    length += peek(length) == ':' ? 2 : 1;
  }
  if (length == 1) refuse(position_, "expected a name after '.'");
  return take(TokenKind::directive, length);
}

Token Lexer::take_string() {
  size_t length = 1;
  while (peek(length) != '"') {
    if (at_ + length >= text_.size() || peek(length) == '\n') refuse(position_, "string without end");
    length += peek(length) == '\\' && at_ + length + 1 < text_.size() ? 2 : 1;
  }
  Token token = take(TokenKind::string, length + 1);
  token.text = token.text.substr(1, token.text.size() - 2);
  return token;
}

// number: 0[fF]hex{8} | 0[dD]hex{16} | decimal with point or exponent | integer
Token Lexer::take_number() {
  const char mark = static_cast<char>(peek(1) | 0x20);
  if (peek() == '0' && mark == 'f') return take_hex_real(TokenKind::single_real, 8);
  if (peek() == '0' && mark == 'd') return take_hex_real(TokenKind::real, 16);
  if (peek() == '0' && (mark == 'x' || mark == 'b')) return take_integer();
  size_t length = 0;
  while (is_digit(peek(length))) ++length;
  const bool is_real = peek(length) == '.' || (peek(length) | 0x20) == 'e';
  return is_real ? take_decimal_real(length) : take_integer();
}

Token Lexer::take_hex_real(TokenKind kind, size_t digits) {
  uint64_t bits = 0;
  for (size_t i = 0; i < digits; ++i) {
    const int digit = hex_digit(peek(2 + i));
    if (digit < 0) refuse(position_, "expected {} hexadecimal digits in a floating-point constant", digits);
    bits = bits << 4 | static_cast<uint64_t>(digit);
  }
  if (is_word(peek(2 + digits))) refuse(position_, "more than {} digits in a floating-point constant", digits);
  Token token = take(kind, 2 + digits);
  token.bits = bits;
  return token;
}

// integer: ('0x' hex+ | '0b' [01]+ | '0' octal* | decimal) 'U'?
Token Lexer::take_integer() {
  const char mark = static_cast<char>(peek(1) | 0x20);
  const bool is_marked = peek() == '0' && (mark == 'x' || mark == 'b');
  const int base = is_marked ? (mark == 'x' ? 16 : 2) : peek() == '0' ? 8 : 10;
  size_t length = is_marked ? 2 : 0;
  uint64_t bits = 0;
  const size_t first = length;
  for (int digit = hex_digit(peek(length)); digit >= 0 && digit < base; digit = hex_digit(peek(++length))) {
    uint64_t next = 0;
    if (__builtin_mul_overflow(bits, static_cast<uint64_t>(base), &next) ||
        __builtin_add_overflow(next, static_cast<uint64_t>(digit), &bits)) {
      refuse(position_, "integer constant is too large");
    }
  }
  if (length == first) refuse(position_, "expected digits in an integer constant");
  if (peek(length) == 'U') ++length;
  if (is_word(peek(length))) refuse(position_, "unexpected '{}' in an integer constant", peek(length));
  Token token = take(TokenKind::integer, length);
  token.bits = bits;
  return token;
}

// decimal: digits? '.' digits? ([eE] [+-]? digits)?
Token Lexer::take_decimal_real(size_t length) {
  if (peek(length) == '.') ++length;
  while (is_digit(peek(length))) ++length;
  if ((peek(length) | 0x20) == 'e') {
    length += peek(length + 1) == '-' || peek(length + 1) == '+' ? 2 : 1;
    if (!is_digit(peek(length))) refuse(position_, "expected an exponent in a floating-point constant");
    while (is_digit(peek(length))) ++length;
  }
  if (is_word(peek(length))) refuse(position_, "unexpected '{}' in a floating-point constant", peek(length));
  Token token = take(TokenKind::real, length);
  double value = 0;
  const char* end = token.text.data() + token.text.size();
  const auto result = std::from_chars(token.text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) refuse(token.at, "floating-point constant is out of range");
  token.bits = std::bit_cast<uint64_t>(value);
  return token;
}

}  // namespace jitc::emulator
