#include "src/syntax/scan.hpp"

#include <algorithm>

#include "src/source/utf8.hpp"
#include "src/syntax/identifier.hpp"

namespace jitc::syntax {

namespace {

char at_or_nul(std::string_view text, size_t at) { return at < text.size() ? text[at] : '\0'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_ascii_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

size_t scan_identifier_tail(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (is_ascii_word(text[at])) {
      ++at;
      continue;
    }
    const source::Decoded c = source::decode_utf8(text, at);
    if (!c.valid || !is_identifier_continue(c.code_point)) break;
    at += c.size_bytes;
  }
  return at;
}

size_t scan_digits(std::string_view text, size_t at) {
  while (at < text.size() && (is_digit(text[at]) || text[at] == '_')) ++at;
  return at;
}

/// exponent: ("e" | "E") ["+" | "-"] digits
size_t scan_exponent(std::string_view text, size_t at) {
  if (lower(at_or_nul(text, at)) != 'e') return at;
  const char sign = at_or_nul(text, at + 1);
  const size_t digits = at + (sign == '+' || sign == '-' ? 2 : 1);
  return is_digit(at_or_nul(text, digits)) ? scan_digits(text, digits) : at;
}

bool may_follow_number(std::string_view word) {
  constexpr std::string_view kWords[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

/// The letters before a quote; any other word is a name.
StringOpening read_prefix(std::string_view text, size_t at) {
  StringOpening opening;
  bool unicode = false;
  for (; opening.prefix_size < 2; ++opening.prefix_size) {
    const char c = lower(at_or_nul(text, at + opening.prefix_size));
    if (c == 'r' && !opening.raw) {
      opening.raw = true;
    } else if (c == 'b' && !opening.bytes && !opening.format) {
      opening.bytes = true;
    } else if (c == 'f' && !opening.format && !opening.bytes) {
      opening.format = true;
    } else if (c == 'u' && opening.prefix_size == 0) {
      unicode = true;
    } else {
      break;
    }
  }
  if (unicode) opening.prefix_size = 1, opening.raw = opening.bytes = opening.format = false;
  return opening;
}

}  // namespace

size_t scan_name(std::string_view text, size_t at) {
  if (at >= text.size()) return at;
  const source::Decoded c = source::decode_utf8(text, at);
  return c.valid && is_identifier_start(c.code_point) ? scan_identifier_tail(text, at + c.size_bytes) : at;
}

size_t scan_number(std::string_view text, size_t at) {
  const char base = lower(at_or_nul(text, at + 1));
  if (text[at] == '0' && (base == 'x' || base == 'o' || base == 'b')) return scan_identifier_tail(text, at + 2);
  at = scan_digits(text, at);
  if (at_or_nul(text, at) == '.') at = scan_digits(text, at + 1);
  at = scan_exponent(text, at);
  if (lower(at_or_nul(text, at)) == 'j') ++at;
  const size_t after_word = scan_identifier_tail(text, at);
  const bool sign_alone = lower(at_or_nul(text, at)) == 'e' && after_word == at + 1 &&
                          (at_or_nul(text, after_word) == '+' || at_or_nul(text, after_word) == '-');
  if (sign_alone) return after_word + 1;  // "1e+": an exponent without digits
  return may_follow_number(text.substr(at, after_word - at)) ? at : after_word;
}

StringOpening scan_string_opening(std::string_view text, size_t at) {
  if (std::string_view("\"'rRbBuUfF").find(at_or_nul(text, at)) == std::string_view::npos) return {};
  StringOpening opening = read_prefix(text, at);
  const size_t quote_at = at + opening.prefix_size;
  opening.quote = at_or_nul(text, quote_at);
  if (opening.quote != '"' && opening.quote != '\'') return {};
  const bool triple = at_or_nul(text, quote_at + 1) == opening.quote && at_or_nul(text, quote_at + 2) == opening.quote;
  opening.quote_size = triple ? 3 : 1;
  return opening;
}

StringExtent scan_string(std::string_view text, size_t at, const StringOpening& opening) {
  const std::string closing(opening.quote_size, opening.quote);
  const bool one_line = opening.quote_size == 1;
  for (size_t i = at + opening.size(); i < text.size(); ++i) {
    if (text[i] == '\\') {
      const bool crlf = text.substr(i + 1).starts_with("\r\n");
      i += crlf ? 2 : 1;
    } else if (text.substr(i).starts_with(closing)) {
      return {i + closing.size(), true};
    } else if (one_line && (text[i] == '\n' || text[i] == '\r')) {
      return {i, false};
    }
  }
  return {text.size(), false};
}

}  // namespace jitc::syntax
