#include "tests/accuracy/quick_reference.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace jitc::accuracy {

namespace {

constexpr double kAskMpfr = std::numeric_limits<double>::infinity();

double lgamma_of_any_thread(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

struct Named {
  std::string_view name;
  QuickFunction function;
};
constexpr Named kFunctions[] = {
    {"sin", std::sin},   {"cos", std::cos},     {"tan", std::tan},      {"asin", std::asin},
    {"acos", std::acos}, {"atan", std::atan},   {"sinh", std::sinh},    {"cosh", std::cosh},
    {"tanh", std::tanh}, {"asinh", std::asinh}, {"acosh", std::acosh},  {"atanh", std::atanh},
    {"exp", std::exp},   {"exp2", std::exp2},   {"expm1", std::expm1},  {"log", std::log},
    {"log2", std::log2}, {"log10", std::log10}, {"log1p", std::log1p},  {"cbrt", std::cbrt},
    {"erf", std::erf},   {"erfc", std::erfc},   {"gamma", std::tgamma}, {"lgamma", lgamma_of_any_thread},
};

/// frexp's, of a normal number.
int exponent_of(double x) { return static_cast<int>(std::bit_cast<uint64_t>(x) >> 52 & 0x7ff) - 1022; }

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52); }

}  // namespace

QuickFunction quick_function(std::string_view name) {
  for (const Named& one : kFunctions) {
    if (one.name == name) return one.function;
  }
  return nullptr;
}

double quick_ulps(double got, double libm, const math_test::Format& format, double floor) {
  if (std::isnan(got) || std::isnan(libm)) return std::isnan(got) && std::isnan(libm) ? 0 : kAskMpfr;
  if (std::isinf(got) || std::isinf(libm)) {
    // A little above the range, so that rounding is no question.
    const bool overflows = std::fabs(libm) > power_of_two(format.max_exponent) * (1 + 0x1p-20);
    return std::isinf(got) && overflows && std::signbit(got) == std::signbit(libm) ? 0 : kAskMpfr;
  }
  if (libm == 0 && floor == 0) return got == 0 && std::signbit(got) == std::signbit(libm) ? 0 : kAskMpfr;
  // Subnormal numbers of f8 are far below the last place of all formats.
  const int exponent = math_test::counting_exponent(exponent_of(libm), format, floor);
  return std::fabs(got - libm) * power_of_two(format.digits - exponent);
}

}  // namespace jitc::accuracy
