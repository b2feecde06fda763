#include "src/syntax/string_literal.hpp"

#include <algorithm>
#include <optional>

#include "src/source/utf8.hpp"
#include "src/syntax/parser.hpp"
#include "src/syntax/scan.hpp"

namespace jitc::syntax {

using source::DiagId;

namespace {

struct SimpleEscape {
  char letter;
  char value;
};
constexpr SimpleEscape kSimpleEscapes[] = {{'\\', '\\'}, {'\'', '\''}, {'"', '"'},  {'a', '\a'}, {'b', '\b'},
                                           {'f', '\f'},  {'n', '\n'},  {'r', '\r'}, {'t', '\t'}, {'v', '\v'}};

std::optional<uint32_t> digit_value(char c, uint32_t radix) {
  uint32_t value = radix;
  if (c >= '0' && c <= '9') value = static_cast<uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<uint32_t>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<uint32_t>(c - 'A') + 10;
  return value < radix ? std::optional(value) : std::nullopt;
}

class StringReader {
 public:
  StringReader(const source::SourceFile& file, Span span, source::DiagnosticSink& sink)
      : opening_(scan_string_opening(file.text(), span.begin)),
        body_(file.text({span.begin + opening_.size(), span.end - opening_.quote_size})),
        begin_(span.begin + opening_.size()),
        sink_(sink) {}

  StringPart read() {
    while (at_ < body_.size()) {
      if (body_[at_] == '\\' && !opening_.raw) {
        read_escape();
      } else if (body_[at_] == '\r') {
        read_carriage_return();
      } else {
        read_plain();
      }
    }
    return {std::move(out_), opening_.bytes};
  }

 private:
  /// A line end inside a string is "\n", however the file writes it.
  void read_carriage_return() {
    at_ += body_.substr(at_).starts_with("\r\n") ? 2 : 1;
    out_.push_back('\n');
  }

  void read_plain() {
    const source::Decoded c = source::decode_utf8(body_, at_);
    if (opening_.bytes && c.code_point >= 0x80) {
      const auto begin = static_cast<uint32_t>(begin_ + at_);
      sink_.report(DiagId::kNonAsciiBytes, {begin, begin + c.size_bytes}).help("write its bytes as '\\xHH'");
    } else {
      out_.append(body_.substr(at_, c.size_bytes));
    }
    at_ += c.size_bytes;
  }

  void read_escape() {
    const size_t backslash = at_++;
    const char c = body_[at_++];
    const auto* simple = std::find_if(std::begin(kSimpleEscapes), std::end(kSimpleEscapes),
                                      [c](const SimpleEscape& row) { return row.letter == c; });
    if (simple != std::end(kSimpleEscapes)) {
      out_.push_back(simple->value);
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && at_ < body_.size() && body_[at_] == '\n') ++at_;
    } else if (digit_value(c, 8)) {
      --at_;
      append(read_octal(), backslash);
    } else if (c == 'x') {
      read_hexadecimal(backslash, 2);
    } else if (!opening_.bytes && (c == 'u' || c == 'U')) {
      read_hexadecimal(backslash, c == 'u' ? 4 : 8);
    } else if (!opening_.bytes && c == 'N') {
      fail(backslash, "a character's name is not supported").help("write its number: '\\u00e9'");
    } else {
      // Python keeps an escape that it does not know.
      out_.append(body_.substr(backslash, at_ - backslash));
    }
  }

  uint32_t read_octal() {
    uint32_t value = 0;
    for (int i = 0; i < 3 && at_ < body_.size() && digit_value(body_[at_], 8); ++i) {
      value = value * 8 + *digit_value(body_[at_++], 8);
    }
    return value;
  }

  void read_hexadecimal(size_t backslash, int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; ++i) {
      const auto digit = at_ < body_.size() ? digit_value(body_[at_], 16) : std::nullopt;
      if (!digit) {
        fail(backslash, fmt::format("'\\{}' needs {} hexadecimal digits", body_[backslash + 1], count));
        return;
      }
      value = value * 16 + *digit;
      ++at_;
    }
    append(value, backslash);
  }

  void append(uint32_t value, size_t backslash) {
    if (opening_.bytes) value &= 0xFF;  // Python takes the low eight bits of "\777"
    if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
      fail(backslash, fmt::format("U+{:04X} is not a character", value));
    } else {
      source::append_utf8(out_, value);
    }
  }

  source::DiagnosticSink::Handle fail(size_t backslash, const std::string& why) {
    const auto begin = static_cast<uint32_t>(begin_ + backslash);
    return sink_.report(DiagId::kBadEscape, {begin, static_cast<uint32_t>(begin_ + at_)}, why);
  }

  StringOpening opening_;
  std::string_view body_;
  size_t begin_;
  source::DiagnosticSink& sink_;
  size_t at_ = 0;
  std::string out_;
};

}  // namespace

StringPart read_string_part(const source::SourceFile& file, Span span, source::DiagnosticSink& sink) {
  return StringReader(file, span, sink).read();
}

std::optional<Span> string_body(const source::SourceFile& file, Span literal) {
  const StringOpening opening = scan_string_opening(file.text(), literal.begin);
  if (opening.quote_size == 0 || opening.format) return std::nullopt;
  const StringExtent extent = scan_string(file.text(), literal.begin, opening);
  if (!extent.closed || extent.end != literal.end) return std::nullopt;
  const Span body{literal.begin + opening.size(), literal.end - opening.quote_size};
  const bool escapes = file.text(body).find('\\') != std::string_view::npos;
  return escapes ? std::nullopt : std::optional(body);
}

}  // namespace jitc::syntax
