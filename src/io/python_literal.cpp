#include "src/io/python_literal.hpp"

#include <fmt/format.h>

#include <charconv>

namespace jitc::io {

namespace {

/// Tuples and lists inside one another; a header needs three.
constexpr int kMaxDepth = 32;

/// Thrown and caught in this file only: the text is no literal.
struct SyntaxProblem {
  std::string text;
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class LiteralParser {
 public:
  explicit LiteralParser(std::string_view text) : text_(text) {}

  PyValue parse_all() {
    PyValue out = parse_value(0);
    skip_spaces();
    if (at_ < text_.size()) fail("text after the literal");
    return out;
  }

 private:
  /// value := string | integer | "True" | "False" | "None" | tuple | list | dict
  PyValue parse_value(int depth) {
    if (depth > kMaxDepth) fail("brackets nested too deeply");
    skip_spaces();
    if (accept('{')) return {parse_dict(depth)};
    if (accept('(')) return parse_parenthesised(depth);
    if (accept('[')) return {parse_sequence(']', depth)};
    if (peek() == '\'' || peek() == '"') return {parse_string()};
    if (peek() == '-' || is_digit(peek())) return parse_integer();
    return parse_word();
  }

  /// dict := "{" [ value ":" value { "," value ":" value } [ "," ] ] "}", after the brace
  PyDict parse_dict(int depth) {
    PyDict out;
    while (!accept('}')) {
      PyValue key = parse_value(depth + 1);
      if (!accept(':')) fail("':' is missing after a key");
      out.items.emplace_back(std::move(key), parse_value(depth + 1));
      if (accept('}')) break;
      if (!accept(',')) fail("',' is missing in a dict");
    }
    return out;
  }

  /// list := "[" [ value { "," value } [ "," ] ] "]", after the bracket; tuples alike
  PySequence parse_sequence(char close, int depth) {
    PySequence out;
    while (!accept(close)) {
      out.items.push_back(parse_value(depth + 1));
      if (accept(close)) break;
      if (!accept(',')) fail("',' is missing in a tuple");
    }
    return out;
  }

  /// tuple := "(" ")" | "(" value "," … ")"; "(" value ")" is the value itself
  PyValue parse_parenthesised(int depth) {
    PySequence out = parse_sequence(')', depth);
    size_t last = at_ - 1;
    while (last > 0 && is_space(text_[last - 1])) --last;
    const bool has_comma = last > 0 && text_[last - 1] == ',';
    if (out.items.size() == 1 && !has_comma) return std::move(out.items[0]);
    return {std::move(out)};
  }

  /// string := quote { character | "\" character } quote
  std::string parse_string() {
    const char quote = text_[at_++];
    std::string out;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) out.push_back(text_[at_++]);
    }
    if (at_ >= text_.size() || text_[at_] != quote) fail("a string is not closed");
    ++at_;
    return out;
  }

  /// integer := [ "-" ] digits [ "L" ]; the L is Python 2's
  PyValue parse_integer() {
    const size_t begin = at_++;
    while (is_digit(peek())) ++at_;
    const std::string_view digits = text_.substr(begin, at_ - begin);
    if (peek() == 'L') ++at_;
    if (is_letter(peek()) || peek() == '.' || peek() == '_') fail("a number is not an integer");
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range) return {PyHugeInt{}};
    if (error != std::errc() || end != digits.data() + digits.size()) fail("a number is not an integer");
    return {value};
  }

  /// "True", "False", "None", or a prefixed string: u'…', b'…'
  PyValue parse_word() {
    const size_t begin = at_;
    while (is_letter(peek())) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if ((word == "u" || word == "b") && (peek() == '\'' || peek() == '"')) return {parse_string()};
    if (word == "True") return {true};
    if (word == "False") return {false};
    if (word == "None") return {PyNone{}};
    at_ = begin;
    fail(begin >= text_.size() ? "it ends too early" : "an unexpected character");
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool accept(char c) {
    skip_spaces();
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw SyntaxProblem{fmt::format("{} (at character {})", what, at_)};
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::optional<PyValue> parse_python_literal(std::string_view text, std::string& problem) {
  try {
    return LiteralParser(text).parse_all();
  } catch (const SyntaxProblem& caught) {
    problem = caught.text;
    return std::nullopt;
  }
}

}  // namespace jitc::io
