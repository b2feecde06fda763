#include "src/io/column_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "src/io/scalar_text.hpp"

namespace jitc::io {

namespace {

/// Digits after the point at most.
constexpr int kPrecision = 8;

/// A printed float cut at its point and its exponent: "-1", "25", "+08".
struct FloatParts {
  std::string whole, fraction, exponent;
};

FloatParts split(std::string_view text) {
  FloatParts out;
  if (const size_t e = text.find('e'); e != std::string_view::npos) {
    out.exponent = text.substr(e + 1);
    text = text.substr(0, e);
  }
  const size_t point = std::min(text.find('.'), text.size());
  out.whole = text.substr(0, point);
  if (point < text.size()) out.fraction = text.substr(point + 1);
  return out;
}

/// The shortest digits that give the value back, or 8 digits after the point where those are fewer.
template <class Float>
FloatParts print_float(Float value, std::chars_format notation) {
  char buffer[512];
  auto result = std::to_chars(buffer, buffer + sizeof buffer, value, notation);
  FloatParts out = split(std::string_view(buffer, static_cast<size_t>(result.ptr - buffer)));
  if (out.fraction.size() <= kPrecision) return out;
  result = std::to_chars(buffer, buffer + sizeof buffer, value, notation, kPrecision);
  out = split(std::string_view(buffer, static_cast<size_t>(result.ptr - buffer)));
  out.fraction.erase(out.fraction.find_last_not_of('0') + 1);
  return out;
}

FloatParts print_scalar(Scalar value, std::chars_format notation) {
  return value.dtype == DType::f8 ? print_float(to_double(value), notation) : print_float(short_float(value), notation);
}

/// Large, tiny or widely spread values take an exponent.
bool needs_exponent(const std::vector<Scalar>& shown) {
  double largest = 0;
  double smallest = HUGE_VAL;
  for (const Scalar& value : shown) {
    const double magnitude = std::fabs(to_double(value));
    if (!std::isfinite(magnitude) || magnitude == 0) continue;
    largest = std::max(largest, magnitude);
    smallest = std::min(smallest, magnitude);
  }
  return largest > 0 && (largest >= 1e8 || smallest < 0.0001 || largest / smallest > 1000);
}

struct FloatColumns {
  std::chars_format notation = std::chars_format::fixed;
  size_t whole = 0, fraction = 0, exponent = 0;

  size_t width() const { return whole + 1 + fraction + (exponent > 0 ? 1 + exponent : 0); }
};

FloatColumns measure_floats(const std::vector<Scalar>& shown) {
  FloatColumns out;
  if (needs_exponent(shown)) out.notation = std::chars_format::scientific;
  for (const Scalar& value : shown) {
    if (!std::isfinite(to_double(value))) continue;
    const FloatParts parts = print_scalar(value, out.notation);
    out.whole = std::max(out.whole, parts.whole.size());
    out.fraction = std::max(out.fraction, parts.fraction.size());
    out.exponent = std::max(out.exponent, parts.exponent.size());
  }
  // Words are right-aligned over the whole column, and need it to be wide enough.
  for (const Scalar& value : shown) {
    const double number = to_double(value);
    if (std::isfinite(number)) continue;
    const size_t word = format_scalar(value).size();
    if (out.width() < word) out.whole += word - out.width();
  }
  return out;
}

std::string format_float(Scalar value, const FloatColumns& columns) {
  if (!std::isfinite(to_double(value))) return fmt::format("{:>{}}", format_scalar(value), columns.width());
  if (columns.exponent == 0) {
    const FloatParts parts = print_scalar(value, columns.notation);
    return fmt::format("{:>{}}.{:<{}}", parts.whole, columns.whole, parts.fraction, columns.fraction);
  }
  // Beside longer neighbours a short value shows digits of its exact expansion, not zeros.
  const FloatParts parts = split(fmt::format("{:.{}e}", to_double(value), columns.fraction));
  const std::string digits(columns.exponent - parts.exponent.size(), '0');
  return fmt::format("{:>{}}.{}e{}{}{}", parts.whole, columns.whole, parts.fraction, parts.exponent.substr(0, 1),
                     digits, parts.exponent.substr(1));
}

}  // namespace

ColumnFormat choose_column_format(const std::vector<Scalar>& shown) {
  const DType dtype = shown.front().dtype;
  if (is_bool(dtype)) {
    return [](Scalar value) { return std::string(value.bits != 0 ? " True" : "False"); };
  }
  if (is_float(dtype)) {
    return [columns = measure_floats(shown)](Scalar value) { return format_float(value, columns); };
  }
  size_t width = 0;
  for (const Scalar& value : shown) width = std::max(width, format_scalar(value).size());
  return [width](Scalar value) { return fmt::format("{:>{}}", format_scalar(value), width); };
}

}  // namespace jitc::io
