#include "src/io/scalar_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "jitc/float_bits.hpp"

namespace jitc::io {

namespace {

/// A number's text taken apart: sign, base, and the digits without underscores.
struct NumberText {
  bool negative = false;
  int base = 10;
  std::string digits;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alnum(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return out;
}

std::optional<NumberText> split_number(std::string_view text) {
  NumberText out;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    out.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text[0] == '0') {
    const char mark = lower(text.substr(1, 1))[0];
    out.base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    if (out.base != 10) text.remove_prefix(2);
  }
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out.digits.push_back(text[i]);
    } else if (i == 0 || i + 1 == text.size() || !is_alnum(text[i - 1]) || !is_alnum(text[i + 1])) {
      return std::nullopt;
    }
  }
  if (out.digits.empty() || out.digits[0] == '-' || out.digits[0] == '+') return std::nullopt;
  return out;
}

/// The magnitude of an integer's digits; nullopt for other text. `too_large` when it needs more than 64 bits.
std::optional<uint64_t> parse_magnitude(const NumberText& number, bool& too_large) {
  uint64_t value = 0;
  const char* end = number.digits.data() + number.digits.size();
  const auto [at, error] = std::from_chars(number.digits.data(), end, value, number.base);
  if (at != end || error == std::errc::invalid_argument) return std::nullopt;
  too_large = error == std::errc::result_out_of_range;
  return value;
}

/// A decimal float (or integer) rounded once to `Float`; nullopt for other text. Overflow gives inf, underflow zero.
template <class Float>
std::optional<Float> parse_decimal(const NumberText& number) {
  const std::string name = lower(number.digits);
  Float value = 0;
  if (name == "inf" || name == "infinity") {
    value = std::numeric_limits<Float>::infinity();
  } else if (name == "nan") {
    return std::numeric_limits<Float>::quiet_NaN();
  } else if (number.base != 10 || !(is_digit(name[0]) || name[0] == '.')) {
    return std::nullopt;
  } else {
    const char* end = name.data() + name.size();
    const auto [at, error] = std::from_chars(name.data(), end, value);
    if (at != end || error == std::errc::invalid_argument) return std::nullopt;
    // from_chars does not say which end was left; strtod does.
    if (error == std::errc::result_out_of_range) value = std::strtod(name.c_str(), nullptr) > 1 ? HUGE_VALF : 0;
  }
  return number.negative ? -value : value;
}

bool names_infinity(const NumberText& number) { return lower(number.digits).rfind("inf", 0) == 0; }

ScalarResult problem(std::string text) { return {std::nullopt, std::move(text)}; }
ScalarResult not_a_number(std::string_view text, DType dtype) {
  return problem(fmt::format("'{}' is not a number of type {}", text, name(dtype)));
}

// --- integers --------------------------------------------------------------------------------------------------------

/// "-128 to 127".
std::string range_text(DType dtype) {
  const unsigned bits = size_bits(dtype);
  const uint64_t top = is_unsigned_int(dtype) ? UINT64_MAX >> (64 - bits) : UINT64_MAX >> (65 - bits);
  return is_unsigned_int(dtype) ? fmt::format("0 to {}", top) : fmt::format("-{} to {}", top + 1, top);
}

bool fits(uint64_t magnitude, bool negative, DType dtype) {
  const unsigned bits = size_bits(dtype);
  if (is_unsigned_int(dtype)) return magnitude == 0 || (!negative && magnitude <= UINT64_MAX >> (64 - bits));
  const uint64_t top = UINT64_MAX >> (65 - bits);
  return magnitude <= top || (negative && magnitude == top + 1);
}

/// 1e6 and 2.0 are integers as well; 2.5 is not.
std::optional<uint64_t> whole_magnitude(const NumberText& number) {
  const std::optional<double> value = parse_decimal<double>(number);
  if (!value || !std::isfinite(*value) || std::trunc(*value) != *value || std::fabs(*value) >= 0x1p64) return {};
  return static_cast<uint64_t>(std::fabs(*value));
}

ScalarResult parse_integer(std::string_view text, const NumberText& number, DType dtype) {
  bool too_large = false;
  std::optional<uint64_t> magnitude = parse_magnitude(number, too_large);
  if (!magnitude) magnitude = whole_magnitude(number);
  if (!magnitude) {
    if (!parse_decimal<double>(number)) return not_a_number(text, dtype);
    return problem(fmt::format("{} is not a whole number that fits {} ({})", text, name(dtype), range_text(dtype)));
  }
  if (too_large || !fits(*magnitude, number.negative, dtype)) {
    return problem(fmt::format("{} does not fit {} ({})", text, name(dtype), range_text(dtype)));
  }
  const uint64_t bits = number.negative ? 0 - *magnitude : *magnitude;
  return {Scalar{dtype, bits & UINT64_MAX >> (64 - size_bits(dtype))}, {}};
}

// --- floats ----------------------------------------------------------------------------------------------------------

/// to_chars' shortest form, with the sign of a NaN dropped.
template <class Float>
std::string shortest(Float value) {
  if (std::isnan(value)) return "nan";
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

/// Read as `Float`, which is the type itself, or f8 for the types that no C++ function reads.
template <class Float>
ScalarResult parse_float(std::string_view text, const NumberText& number, DType dtype) {
  bool too_large = false;
  std::optional<Float> value;
  if (number.base != 10) {
    const std::optional<uint64_t> magnitude = parse_magnitude(number, too_large);
    if (magnitude) value = static_cast<Float>(*magnitude) * (number.negative ? -1 : 1);
  } else {
    value = parse_decimal<Float>(number);
  }
  if (!value) return not_a_number(text, dtype);
  const uint64_t bits = float_to_bits(dtype, *value);
  if (too_large || (std::isinf(float_from_bits(dtype, bits)) && !names_infinity(number))) {
    const double limit = largest_finite(dtype);
    const std::string largest = dtype == DType::f8 ? shortest(limit) : shortest(static_cast<float>(limit));
    return problem(fmt::format("{} does not fit {} (largest: {})", text, name(dtype), largest));
  }
  return {Scalar{dtype, bits}, {}};
}

ScalarResult parse_bool(std::string_view text) {
  const std::string word = lower(text);
  if (word == "true" || word == "1") return {Scalar::of(true), {}};
  if (word == "false" || word == "0") return {Scalar::of(false), {}};
  return problem(fmt::format("'{}' is not a truth value (true or false)", text));
}

/// "1+2j" cut into "1" and "2"; "2j" has no first half, "1" no second.
struct ComplexText {
  std::string_view real, imag;
};

ComplexText split_complex(std::string_view text) {
  if (text.size() > 1 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (text.empty() || lower(text.substr(text.size() - 1)) != "j") return {text, {}};
  text.remove_suffix(1);
  // The last sign that does not belong to an exponent.
  for (size_t i = text.size(); i-- > 1;) {
    const bool is_sign = text[i] == '+' || text[i] == '-';
    if (is_sign && lower(text.substr(i - 1, 1)) != "e") return {text.substr(0, i), text.substr(i)};
  }
  return {{}, text};
}

ScalarResult parse_complex(std::string_view text, DType dtype) {
  const ComplexText parts = split_complex(text);
  if (parts.real.empty() && parts.imag.empty()) return not_a_number(text, dtype);
  Scalar out{dtype};
  for (const auto& [part, bits] : {std::pair(parts.real, &out.bits), std::pair(parts.imag, &out.imag_bits)}) {
    if (part.empty()) continue;
    const ScalarResult result = parse_scalar(part, part_type(dtype));
    if (!result.value)
      return problem(fmt::format("'{}' is not a number of type {}: {}", text, name(dtype), result.problem));
    *bits = result.value->bits;
  }
  return {out, {}};
}

/// As Python writes it, without the parentheses.
std::string format_complex(Scalar value) {
  const DType part = part_type(value.dtype);
  const std::string imag = format_scalar({part, value.imag_bits});
  return format_scalar({part, value.bits}) + (imag.front() == '-' ? "" : "+") + imag + "j";
}

}  // namespace

ScalarResult parse_scalar(std::string_view text, DType dtype) {
  if (is_bool(dtype)) return parse_bool(text);
  if (is_complex(dtype)) return parse_complex(text, dtype);
  const std::string word = lower(text);
  if (word == "true") return parse_scalar("1", dtype);
  if (word == "false") return parse_scalar("0", dtype);
  const std::optional<NumberText> number = split_number(text);
  if (!number) return not_a_number(text, dtype);
  if (dtype == DType::f4) return parse_float<float>(text, *number, dtype);
  if (is_float(dtype)) return parse_float<double>(text, *number, dtype);
  return parse_integer(text, *number, dtype);
}

bool looks_like_scalar(std::string_view text) {
  const std::string word = lower(text);
  if (word == "true" || word == "false") return true;
  if (const ComplexText parts = split_complex(text); !parts.imag.empty()) {
    return looks_like_scalar(parts.imag) && (parts.real.empty() || looks_like_scalar(parts.real));
  }
  const std::optional<NumberText> number = split_number(text);
  bool too_large = false;
  return number && (parse_magnitude(*number, too_large) || parse_decimal<double>(*number));
}

std::string format_scalar(Scalar value) {
  if (is_complex(value.dtype)) return format_complex(value);
  if (value.dtype == DType::f8) return shortest(to_double(value));
  if (is_float(value.dtype)) return shortest(short_float(value));
  if (is_bool(value.dtype)) return value.bits != 0 ? "true" : "false";
  return is_unsigned_int(value.dtype) ? fmt::format("{}", value.bits) : fmt::format("{}", to_int64(value));
}

float short_float(Scalar value) {
  const auto exact = static_cast<float>(to_double(value));
  if (!is_half(value.dtype) || !std::isfinite(exact)) return exact;
  // Five digits tell all f2 apart, four all bf16.
  for (int digits = 1; digits <= 5; ++digits) {
    char buffer[32];
    const auto written =
        std::to_chars(buffer, buffer + sizeof buffer, exact, std::chars_format::scientific, digits - 1);
    float read = 0;
    std::from_chars(buffer, written.ptr, read);
    if (float_to_bits(value.dtype, read) == value.bits) return read;
  }
  return exact;
}

double to_double(Scalar value) {
  if (is_float(value.dtype)) return float_from_bits(value.dtype, value.bits);
  return is_signed_int(value.dtype) ? static_cast<double>(to_int64(value)) : static_cast<double>(value.bits);
}

int64_t to_int64(Scalar value) {
  if (!is_signed_int(value.dtype)) return static_cast<int64_t>(value.bits);
  const unsigned unused = 64 - size_bits(value.dtype);
  return static_cast<int64_t>(value.bits << unused) >> unused;
}

}  // namespace jitc::io
