// f2 and bf16 in the reference: numbers of 11 or 8 binary digits, by frexp and nearbyint.
#pragma once

#include "tests/support/scalar_ops.hpp"

namespace jitc::reference {

double half_value(DType half, Bits bits);
/// The nearest half, ties to even.
Bits half_bits(DType half, long double value);
/// a * b + c with one rounding.
Bits half_fma(DType half, double a, double b, double c);

}  // namespace jitc::reference
