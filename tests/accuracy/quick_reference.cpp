#include "tests/accuracy/quick_reference.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace jitc::accuracy {

namespace {

constexpr double kAskMpfr = std::numeric_limits<double>::infinity();
constexpr bool kHasWide = std::numeric_limits<long double>::digits >= 64;

double lgamma_of_any_thread(double x) {
  int sign;
  return lgamma_r(x, &sign);
}
long double lgammal_of_any_thread(long double x) {
  int sign;
  return lgammal_r(x, &sign);
}

template <class Real>
Real logistic(Real x) {
  const Real e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

struct Named {
  std::string_view name;
  QuickFunction function;
};
const Named kFunctions[] = {
    {"sin", {std::sin, std::sin}},
    {"cos", {std::cos, std::cos}},
    {"tan", {std::tan, std::tan}},
    {"asin", {std::asin, std::asin}},
    {"acos", {std::acos, std::acos}},
    {"atan", {std::atan, std::atan}},
    {"sinh", {std::sinh, std::sinh}},
    {"cosh", {std::cosh, std::cosh}},
    {"tanh", {std::tanh, std::tanh}},
    {"asinh", {std::asinh, std::asinh}},
    {"acosh", {std::acosh, std::acosh}},
    {"atanh", {std::atanh, std::atanh}},
    {"exp", {std::exp, std::exp}},
    {"exp2", {std::exp2, std::exp2}},
    {"expm1", {std::expm1, std::expm1}},
    {"log", {std::log, std::log}},
    {"log2", {std::log2, std::log2}},
    {"log10", {std::log10, std::log10}},
    {"log1p", {std::log1p, std::log1p}},
    {"cbrt", {std::cbrt, std::cbrt}},
    {"erf", {std::erf, std::erf}},
    {"erfc", {std::erfc, std::erfc}},
    {"gamma", {std::tgamma, std::tgamma}},
    {"lgamma", {lgamma_of_any_thread, lgammal_of_any_thread}},
    {"logistic", {logistic<double>, logistic<long double>}},
    {"pow", {nullptr, nullptr, std::pow, std::pow}},
    {"hypot", {nullptr, nullptr, std::hypot, std::hypot}},
    {"atan2", {nullptr, nullptr, std::atan2, std::atan2}},
};

/// frexp's, of a normal number.
int exponent_of(double x) { return static_cast<int>(std::bit_cast<uint64_t>(x) >> 52 & 0x7ff) - 1022; }
int exponent_of(long double x) { return x == 0 ? -100000 : std::ilogb(x) + 1; }

template <class Wide>
Wide power_of_two(int exponent) {
  if constexpr (sizeof(Wide) == sizeof(double))
    return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
  return std::ldexp(Wide{1}, exponent);
}

template <class Wide>
bool is_power_of_two(Wide x) {
  int exponent;
  return std::fabs(std::frexp(x, &exponent)) == Wide{0.5};
}
bool is_power_of_two(double x) { return std::bit_cast<uint64_t>(x) << 12 == 0; }

}  // namespace

QuickFunction quick_function(std::string_view name) {
  for (const Named& one : kFunctions) {
    if (one.name != name) continue;
    const QuickFunction& all = one.function;
    return kHasWide ? all : QuickFunction{all.of_f8, nullptr, all.of_two_f8, nullptr};
  }
  return {};
}

double quick_margin(const math_test::Format& format) {
  return format.digits > std::numeric_limits<float>::digits ? 0x1p-6 : 0x1p-10;
}

template <class Wide>
double quick_ulps(double got, Wide libm, const math_test::Format& format, double floor) {
  if (std::isnan(got) || std::isnan(libm)) return std::isnan(got) && std::isnan(libm) ? 0 : kAskMpfr;
  if (std::isinf(got) || std::isinf(libm)) {
    // A little above the range, so that rounding is no question.
    const bool overflows = std::fabs(libm) > power_of_two<Wide>(format.max_exponent) * (1 + Wide{0x1p-20});
    return std::isinf(got) && overflows && std::signbit(got) == std::signbit(libm) ? 0 : kAskMpfr;
  }
  if (libm == 0 && floor == 0) return got == 0 && std::signbit(got) == std::signbit(libm) ? 0 : kAskMpfr;
  // What is a power of two here may lie a little below it, where the last place is half as large.
  if (got != libm && is_power_of_two(libm)) return kAskMpfr;
  // Subnormal numbers of the wide type are far below the last place of the format.
  const int exponent = math_test::counting_exponent(exponent_of(libm), format, floor);
  return static_cast<double>(std::fabs(static_cast<Wide>(got) - libm) * power_of_two<Wide>(format.digits - exponent));
}

template double quick_ulps(double, double, const math_test::Format&, double);
template double quick_ulps(double, long double, const math_test::Format&, double);

}  // namespace jitc::accuracy
