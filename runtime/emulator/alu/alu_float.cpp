// Sums, products, quotients and roots, rounded once. f32 and f64 to nearest are the host's own operations (IEEE 754 and
// no contraction: the build sets it); all else is exact arithmetic and a rounding. approx and full are rounded as .rn:
// PTX bounds their error and asks for no more. Source: PTX ISA, "Floating Point Instructions", "Half Precision".
#include <bit>
#include <cmath>

#include "runtime/emulator/alu/float_rules.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

template <class T>
T value_of(Bits bits) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if constexpr (sizeof(T) == 8) return std::bit_cast<double>(bits);
}

template <class T>
Bits bits_of(T value) {
  if constexpr (sizeof(T) == 4) return std::isnan(value) ? Bits{0x7fffffff} : std::bit_cast<uint32_t>(value);
  if constexpr (sizeof(T) == 8) return std::isnan(value) ? Bits{0x7ff8} << 48 : std::bit_cast<uint64_t>(value);
}

template <class T>
struct HostAdd {
  static Bits apply(Bits a, Bits b) { return bits_of<T>(value_of<T>(a) + value_of<T>(b)); }
};

template <class T>
struct HostSub {
  static Bits apply(Bits a, Bits b) { return bits_of<T>(value_of<T>(a) - value_of<T>(b)); }
};

template <class T>
struct HostMul {
  static Bits apply(Bits a, Bits b) { return bits_of<T>(value_of<T>(a) * value_of<T>(b)); }
};

template <class T>
struct HostDiv {
  static Bits apply(Bits a, Bits b) { return bits_of<T>(value_of<T>(a) / value_of<T>(b)); }
};

template <class T>
struct HostFma {
  static Bits apply(Bits a, Bits b, Bits c) {
    return bits_of<T>(std::fma(value_of<T>(a), value_of<T>(b), value_of<T>(c)));
  }
};

template <class T>
struct HostSqrt {
  static Bits apply(Bits a) { return bits_of<T>(std::sqrt(value_of<T>(a))); }
};

template <class T>
struct HostRcp {
  static Bits apply(Bits a) { return bits_of<T>(T{1} / value_of<T>(a)); }
};

Bits exact_add(const AluRules& rules, Bits a, Bits b) {
  const FloatFormat& format = format_of(rules.to);
  return rounded(add(exact_input(a, rules, format), exact_input(b, rules, format), rules.rounding), rules, format);
}

Bits exact_sub(const AluRules& rules, Bits a, Bits b) {
  const FloatFormat& format = format_of(rules.to);
  const Exact right = negate(exact_input(b, rules, format));
  return rounded(add(exact_input(a, rules, format), right, rules.rounding), rules, format);
}

Bits exact_mul(const AluRules& rules, Bits a, Bits b) {
  const FloatFormat& format = format_of(rules.to);
  return rounded(multiply(exact_input(a, rules, format), exact_input(b, rules, format)), rules, format);
}

Bits exact_fma(const AluRules& rules, Bits a, Bits b, Bits c) {
  const FloatFormat& format = format_of(rules.to);
  const Exact product = multiply(exact_input(a, rules, format), exact_input(b, rules, format));
  return rounded(add(product, exact_input(c, rules, format), rules.rounding), rules, format);
}

Bits exact_div(const AluRules& rules, Bits a, Bits b) {
  const FloatFormat& format = format_of(rules.to);
  return rounded(divide(exact_input(a, rules, format), exact_input(b, rules, format)), rules, format);
}

Bits exact_rcp(const AluRules& rules, Bits a) {
  const FloatFormat& format = format_of(rules.to);
  return rounded(divide(exact_of(Unsigned128{1}, false), exact_input(a, rules, format)), rules, format);
}

Bits exact_sqrt(const AluRules& rules, Bits a) {
  const FloatFormat& format = format_of(rules.to);
  return rounded(square_root(exact_input(a, rules, format)), rules, format);
}

bool is_host_operation(const AluRules& rules) {
  return (rules.to == Type::f32 || rules.to == Type::f64) && rules.rounding == Rounding::nearest_even && !rules.ftz &&
         !rules.sat && !rules.relu;
}

/// The host's operation where it is the right one, else the exact one, on halves where the elements are packed.
template <template <class> class Host, auto exact, auto exact_halves>
AluFn choose(const Form& form, const AluRules& rules) {
  if (is_host_operation(rules))
    return rules.to == Type::f32 ? &plain<&Host<float>::apply> : &plain<&Host<double>::apply>;
  return is_packed(form) ? &ruled<exact_halves> : &ruled<exact>;
}

}  // namespace

AluFn select_float_add(const Form& form, AluRules& rules) {
  return choose<HostAdd, &exact_add, &on_halves<&exact_add, Bits, Bits>>(form, rules);
}

AluFn select_float_sub(const Form& form, AluRules& rules) {
  return choose<HostSub, &exact_sub, &on_halves<&exact_sub, Bits, Bits>>(form, rules);
}

AluFn select_float_mul(const Form& form, AluRules& rules) {
  return choose<HostMul, &exact_mul, &on_halves<&exact_mul, Bits, Bits>>(form, rules);
}

AluFn select_fma(const Form& form, AluRules& rules) {
  return choose<HostFma, &exact_fma, &on_halves<&exact_fma, Bits, Bits, Bits>>(form, rules);
}

AluFn select_float_div(const Form& form, AluRules& rules) {
  return choose<HostDiv, &exact_div, &exact_div>(form, rules);
}
AluFn select_rcp(const Form& form, AluRules& rules) { return choose<HostRcp, &exact_rcp, &exact_rcp>(form, rules); }
AluFn select_sqrt(const Form& form, AluRules& rules) { return choose<HostSqrt, &exact_sqrt, &exact_sqrt>(form, rules); }

}  // namespace jitc::emulator
