#include "tests/support/run_cases/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "jitc/float_bits.hpp"

namespace jitc::cases {

namespace {

double float_value(DType dtype, uint64_t bits) { return float_from_bits(dtype, bits); }

/// Position on the line of all values of the type, so that neighbours differ by one; both zeros are 0.
int64_t ordered(DType dtype, uint64_t bits) {
  const uint64_t sign = uint64_t{1} << (size_bits(dtype) - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

uint64_t ulp_distance(DType dtype, uint64_t a, uint64_t b) {
  const int64_t x = ordered(dtype, a), y = ordered(dtype, b);
  return x > y ? static_cast<uint64_t>(x) - static_cast<uint64_t>(y)
               : static_cast<uint64_t>(y) - static_cast<uint64_t>(x);
}

bool equal_floats(const CompareRule& rule, DType dtype, uint64_t expected, uint64_t actual) {
  const double e = float_value(dtype, expected), a = float_value(dtype, actual);
  if (std::isnan(e) || std::isnan(a)) return std::isnan(e) && std::isnan(a);
  if (std::isinf(e) || std::isinf(a)) return e == a;
  if (rule.kind == CompareRule::Kind::kRelative) return std::fabs(a - e) <= rule.relative * std::fabs(e);
  if (rule.kind == CompareRule::Kind::kUlp) return ulp_distance(dtype, expected, actual) <= rule.ulp;
  return expected == actual;
}

/// Complex numbers: a relative error is that of the number; bits and ulp are of each part.
bool equal_complex(const CompareRule& rule, Scalar expected, Scalar actual) {
  const DType part = part_type(expected.dtype);
  const bool parts = equal_floats(rule, part, expected.bits, actual.bits) &&
                     equal_floats(rule, part, expected.imag_bits, actual.imag_bits);
  if (parts || rule.kind != CompareRule::Kind::kRelative) return parts;
  const double re = float_value(part, expected.bits), im = float_value(part, expected.imag_bits);
  const double distance = std::hypot(float_value(part, actual.bits) - re, float_value(part, actual.imag_bits) - im);
  return std::isfinite(distance) && distance <= rule.relative * std::hypot(re, im);
}

bool equal(const CompareRule& rule, Scalar expected, Scalar actual) {
  if (is_complex(expected.dtype)) return equal_complex(rule, expected, actual);
  return is_float(expected.dtype) ? equal_floats(rule, expected.dtype, expected.bits, actual.bits)
                                  : expected.bits == actual.bits;
}

std::string text_of(Scalar value) {
  if (is_complex(value.dtype)) {
    const DType part = part_type(value.dtype);
    return fmt::format("{} + {}j", text_of({part, value.bits}), text_of({part, value.imag_bits}));
  }
  if (is_float(value.dtype)) return fmt::format("{} ({:#x})", float_value(value.dtype, value.bits), value.bits);
  if (is_signed_int(value.dtype)) {
    const unsigned unused = 64 - size_bits(value.dtype);
    return fmt::format("{}", static_cast<int64_t>(value.bits << unused) >> unused);
  }
  return fmt::format("{}", value.bits);
}

std::string index_text(const std::vector<int64_t>& shape, int64_t flat) {
  std::vector<int64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; flat /= shape[axis]) index[axis] = flat % shape[axis];
  return fmt::format("[{}]", fmt::join(index, ","));
}

}  // namespace

std::optional<std::string> first_difference(const CompareRule& rule, const io::HostArray& expected,
                                            const io::HostArray& actual) {
  if (expected.dtype != actual.dtype || expected.shape != actual.shape) {
    return fmt::format(" is {}, expected {}", io::type_text(actual.dtype, actual.shape),
                       io::type_text(expected.dtype, expected.shape));
  }
  std::optional<std::string> first;
  int64_t different = 0;
  for (int64_t i = 0; i < expected.size(); ++i) {
    const Scalar e = expected.element(i), a = actual.element(i);
    if (equal(rule, e, a)) continue;
    if (++different == 1)
      first = fmt::format("{} is {}, expected {}", index_text(expected.shape, i), text_of(a), text_of(e));
  }
  if (different > 1) *first += fmt::format(" (the first of {} different elements)", different);
  return first;
}

}  // namespace jitc::cases
