#include "src/syntax/number.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "src/base/check.hpp"

namespace jitc::syntax {

using source::DiagId;

namespace {

struct Base {
  unsigned radix;
  const char* name;
  const char* a_digit;
  std::string_view digits;
};
constexpr Base kBinary{2, "binary", "a binary digit", "01"};
constexpr Base kOctal{8, "octal", "an octal digit", "01234567"};
constexpr Base kDecimal{10, "decimal", "a digit", "0123456789"};
constexpr Base kHexadecimal{16, "hexadecimal", "a hexadecimal digit", "0123456789abcdefABCDEF"};

/// Letters that other languages put behind a number.
constexpr std::string_view kSuffixLetters = "fFlLuUdDhH";

class NumberReader {
 public:
  NumberReader(const source::SourceFile& file, Span span, source::DiagnosticSink& sink)
      : text_(file.text(span)), begin_(span.begin), sink_(sink) {}

  NumberValue read() {
    const char second = text_.size() > 1 ? text_[1] : '\0';
    if (text_[0] == '0' && (second == 'x' || second == 'X')) return read_int(kHexadecimal, 2);
    if (text_[0] == '0' && (second == 'o' || second == 'O')) return read_int(kOctal, 2);
    if (text_[0] == '0' && (second == 'b' || second == 'B')) return read_int(kBinary, 2);
    if (text_.find_first_not_of("0123456789_") == std::string_view::npos) return read_int(kDecimal, 0);
    return read_real();
  }

 private:
  Span at(size_t offset, size_t size) const {
    const auto begin = static_cast<uint32_t>(begin_ + offset);
    return {begin, begin + static_cast<uint32_t>(size)};
  }

  NumberValue fail(size_t offset, size_t size, const Base& base, const std::string& why) {
    auto handle = sink_.report(DiagId::kInvalidNumber, at(offset, size), base.name, why);
    if (text_.substr(offset).find_first_not_of(kSuffixLetters) == std::string_view::npos) {
      handle.help(
          "drop the suffix: a constant takes the type of what it meets, and a cast such as 'float32(2.5)' makes it "
          "explicit");
    }
    return IntLit{0};
  }

  /// Each '_' must have a digit on either side; one may follow the base's prefix.
  std::optional<size_t> find_stray_underscore(const Base& base, size_t first) const {
    const auto is_digit = [&](size_t i) {
      return i < text_.size() && base.digits.find(text_[i]) != std::string_view::npos;
    };
    for (size_t i = text_.find('_', first); i != std::string_view::npos; i = text_.find('_', i + 1)) {
      const bool after_prefix = i == first && first == 2;
      if (!is_digit(i + 1) || !(after_prefix || (i > first && is_digit(i - 1)))) return i;
    }
    return std::nullopt;
  }

  NumberValue read_int(const Base& base, size_t first) {
    if (text_.size() == first) return fail(0, first, base, fmt::format("no digits after '{}'", text_));
    for (size_t i = first; i < text_.size(); ++i) {
      if (text_[i] == '_' || base.digits.find(text_[i]) != std::string_view::npos) continue;
      return fail(i, character_size(i), base,
                  fmt::format("'{}' is not {}", text_.substr(i, character_size(i)), base.a_digit));
    }
    if (const auto stray = find_stray_underscore(base, first))
      return fail(*stray, 1, base, "'_' must stand between digits");
    if (base.radix == 10 && has_leading_zeros()) {
      sink_.report(DiagId::kLeadingZeros, at(0, text_.find_first_not_of("0_")))
          .help("an octal number is written '0o17'");
      return IntLit{0};
    }
    return value_of_digits(base, first);
  }

  bool has_leading_zeros() const { return text_[0] == '0' && text_.find_first_not_of("0_") != std::string_view::npos; }

  NumberValue value_of_digits(const Base& base, size_t first) {
    uint64_t value = 0;
    for (size_t i = first; i < text_.size(); ++i) {
      if (text_[i] == '_') continue;
      const auto digit = static_cast<uint64_t>(std::min<size_t>(kHexadecimal.digits.find(to_lower(text_[i])), 15));
      if (value > (std::numeric_limits<uint64_t>::max() - digit) / base.radix) {
        sink_.report(DiagId::kIntegerTooLarge, at(0, text_.size())).help("write it as a float if it need not be exact");
        return IntLit{0};
      }
      value = value * base.radix + digit;
    }
    return IntLit{value};
  }

  /// number: digits ["." [digits]] [exponent] ["j"]
  NumberValue read_real() {
    const bool imaginary = text_.back() == 'j' || text_.back() == 'J';
    const std::string_view body = imaginary ? text_.substr(0, text_.size() - 1) : text_;
    const std::string digits = without_underscores(body);
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const auto used = static_cast<size_t>(result.ptr - digits.data());
    if (used < digits.size()) return fail_suffix(used);
    if (const auto stray = find_stray_underscore(kDecimal, 0))
      return fail(*stray, 1, kDecimal, "'_' must stand between digits");
    if (result.ec == std::errc::result_out_of_range) {
      value = is_huge(digits) ? std::numeric_limits<double>::infinity() : 0.0;
    }
    if (imaginary) return ImagLit{value};
    return FloatLit{value};
  }

  /// `used`: digits and points before the fault, underscores not counted.
  NumberValue fail_suffix(size_t used) {
    size_t offset = 0;
    for (; offset < text_.size() && (text_[offset] == '_' || used > 0); ++offset) used -= text_[offset] != '_';
    const std::string_view suffix = text_.substr(offset, std::min<size_t>(text_.size() - offset, 20));
    const bool exponent = suffix == "e" || suffix == "E" || suffix.back() == '+' || suffix.back() == '-';
    if (exponent) return fail(offset, suffix.size(), kDecimal, "no digits after the exponent's 'e'");
    return fail(offset, text_.size() - offset, kDecimal, fmt::format("unexpected '{}' after the number", suffix));
  }

  /// Whether a number outside double's range is too large, not too small: by the decimal position of its first digit.
  static bool is_huge(const std::string& digits) {
    const size_t exponent_at = std::min(digits.size(), digits.find_first_of("eE"));
    const auto first = static_cast<int64_t>(digits.find_first_not_of("0."));
    const auto point = static_cast<int64_t>(std::min(exponent_at, digits.find('.')));
    const bool negative = exponent_at + 1 < digits.size() && digits[exponent_at + 1] == '-';
    int64_t exponent = 0;
    for (size_t i = exponent_at + 1; i < digits.size(); ++i) {
      const bool is_sign = digits[i] == '+' || digits[i] == '-';
      if (!is_sign) exponent = std::min<int64_t>(exponent * 10 + (digits[i] - '0'), int64_t{1} << 40);
    }
    return point - first + (negative ? -exponent : exponent) > 0;
  }

  static std::string without_underscores(std::string_view text) {
    std::string out(text);
    out.erase(std::remove(out.begin(), out.end(), '_'), out.end());
    return out;
  }

  size_t character_size(size_t offset) const {
    size_t size = 1;
    while (offset + size < text_.size() && (static_cast<unsigned char>(text_[offset + size]) & 0xC0) == 0x80) ++size;
    return size;
  }

  static char to_lower(char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; }

  std::string_view text_;
  uint32_t begin_;
  source::DiagnosticSink& sink_;
};

}  // namespace

NumberValue read_number(const source::SourceFile& file, Span span, source::DiagnosticSink& sink) {
  JITC_CHECK(span.end > span.begin, "a number has digits");
  return NumberReader(file, span, sink).read();
}

}  // namespace jitc::syntax
