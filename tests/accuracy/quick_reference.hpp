// libm's functions of f8 as a first look at functions of f4 and of the halves, whose last places are 2^29 times as
// large: MPFR is asked only where libm says that a result may be the worst so far.
#pragma once

#include <string_view>

#include "tests/unit/math/ulp.hpp"

namespace jitc::accuracy {

using QuickFunction = double (*)(double);

/// Of one parameter; nullptr where libm has none.
QuickFunction quick_function(std::string_view name);

/// How far an estimate of quick_ulps() may be from the truth: what libm's functions would have to be wrong by is 2^19
/// of their ulps; glibc's manual, "Known Maximum Errors in Math Functions", has 10 at most.
inline constexpr double kQuickMargin = 0x1p-10;

/// About the error of `got` where libm has `libm`; infinity where only MPFR can say it: special values that differ.
double quick_ulps(double got, double libm, const math_test::Format& format, double floor);

}  // namespace jitc::accuracy
