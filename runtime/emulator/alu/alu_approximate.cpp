// The approximations. PTX bounds their error; the emulator returns the exact function rounded to nearest. Roots and
// reciprocals are exact arithmetic; the others have the 64 bits or more of a long double, which for a result of 24 bits
// decides all but the rarest near-ties as infinite precision would. Source: PTX ISA,
// "Floating Point Instructions: rsqrt, sin, cos, lg2, ex2, tanh, rcp.approx.ftz.f64".
#include <cmath>

#include "runtime/emulator/alu/float_rules.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

/// Exact: no format has more bits than a long double.
long double long_double_of(const Exact& value) {
  const long double sign = value.is_negative ? -1.0L : 1.0L;
  switch (value.kind) {
    case Exact::nan: return NAN;
    case Exact::infinite: return sign * INFINITY;
    case Exact::zero: return sign * 0.0L;
    case Exact::finite: break;
  }
  return sign * std::ldexp(static_cast<long double>(static_cast<uint64_t>(value.significand)), value.exponent);
}

long double sine(long double x) { return std::sin(x); }
long double cosine(long double x) { return std::cos(x); }
long double log2_of(long double x) { return std::log2(x); }
long double exp2_of(long double x) { return std::exp2(x); }
long double tanh_of(long double x) { return std::tanh(x); }

template <long double (*function)(long double)>
Bits approximate(const AluRules& rules, Bits a) {
  const FloatFormat& format = format_of(rules.to);
  const long double result = function(long_double_of(exact_input(a, rules, format)));
  return rounded(exact_of(result), rules, format);
}

Exact reciprocal(const Exact& a) { return divide(exact_of(Unsigned128{1}, false), a); }

/// The root of the reciprocal; of a zero an infinity of its sign, of what is below zero a NaN.
Exact reciprocal_root(const Exact& a) {
  if (a.kind == Exact::zero) return reciprocal(a);
  return a.is_negative ? square_root(a) : square_root(reciprocal(a));
}

template <Exact (*function)(const Exact&)>
Bits rounded_function(const AluRules& rules, Bits a) {
  const FloatFormat& format = format_of(rules.to);
  return rounded(function(exact_input(a, rules, format)), rules, format);
}

/// The .approx.ftz.f64 forms look at the upper half of their operand and write the upper half of their result.
template <Exact (*function)(const Exact&)>
Bits upper_half(const AluRules& rules, Bits a) {
  constexpr Bits kUpperHalf = Bits{0xffffffff} << 32;
  const FloatFormat& format = format_of(rules.to);
  if (format.is_nan(a)) return format.canonical_nan();
  return finished(rounded_function<function>(rules, a & kUpperHalf) & kUpperHalf, rules, format);
}

template <long double (*function)(long double)>
AluFn by_packing(const Form& form) {
  return is_packed(form) ? &ruled<&on_halves<&approximate<function>, Bits>> : &ruled<&approximate<function>>;
}

}  // namespace

AluFn select_gross_rcp(const Form&, AluRules&) { return &ruled<&upper_half<&reciprocal>>; }
AluFn select_gross_rsqrt(const Form&, AluRules&) { return &ruled<&upper_half<&reciprocal_root>>; }
AluFn select_rsqrt(const Form&, AluRules&) { return &ruled<&rounded_function<&reciprocal_root>>; }
AluFn select_sin(const Form& form, AluRules&) { return by_packing<&sine>(form); }
AluFn select_cos(const Form& form, AluRules&) { return by_packing<&cosine>(form); }
AluFn select_lg2(const Form& form, AluRules&) { return by_packing<&log2_of>(form); }
AluFn select_ex2(const Form& form, AluRules&) { return by_packing<&exp2_of>(form); }
AluFn select_tanh(const Form& form, AluRules&) { return by_packing<&tanh_of>(form); }

}  // namespace jitc::emulator
