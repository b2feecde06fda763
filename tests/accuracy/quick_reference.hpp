// libm's functions as a first look: those of f8 at functions of f4 and of the halves, whose last places are 2^29 times
// as large, and those of long double at functions of f8. MPFR is asked only where libm says that a result may be the
// worst so far.
#pragma once

#include <string_view>

#include "tests/unit/math/ulp.hpp"

namespace jitc::accuracy {

/// Of one parameter or of two; null where libm has none, or where long double has no digits more.
struct QuickFunction {
  double (*of_f8)(double) = nullptr;
  long double (*of_wide)(long double) = nullptr;
  double (*of_two_f8)(double, double) = nullptr;
  long double (*of_two_wide)(long double, long double) = nullptr;

  explicit operator bool() const { return of_f8 != nullptr || of_two_f8 != nullptr; }
};
QuickFunction quick_function(std::string_view name);

/// How far an estimate of quick_ulps() may be from the truth. libm's functions would have to be wrong by 2^19 of their
/// ulps for f4, by 32 for f8; glibc's manual, "Known Maximum Errors in Math Functions", has about 10 at most.
double quick_margin(const math_test::Format& format);

/// About the error of `got` where libm has `libm`; infinity where only MPFR can say it: special values that differ.
template <class Wide>
double quick_ulps(double got, Wide libm, const math_test::Format& format, double floor);

}  // namespace jitc::accuracy
