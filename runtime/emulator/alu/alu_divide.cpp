// Quotients and remainders of integers. PTX leaves division by zero open; here, as on the chips seen, the quotient has
// all its bits set and the remainder is the dividend. The quotient of the least value and -1 wraps.
#include <type_traits>

#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

template <class T>
bool is_minus_one(T value) {
  return std::is_signed_v<T> && value == static_cast<T>(-1);
}

template <class T>
struct Div {
  static Bits apply(Bits a, Bits b) {
    const T divisor = as<T>(b);
    if (divisor == 0) return to_bits(static_cast<T>(~T{0}));
    return to_bits(is_minus_one(divisor) ? as<T>(0 - a) : static_cast<T>(as<T>(a) / divisor));
  }
};

template <class T>
struct Rem {
  static Bits apply(Bits a, Bits b) {
    const T divisor = as<T>(b);
    if (divisor == 0) return to_bits(as<T>(a));
    return to_bits(is_minus_one(divisor) ? T{0} : static_cast<T>(as<T>(a) % divisor));
  }
};

}  // namespace

AluFn select_div(const Form& form, AluRules&) { return by_integer<Div>(form.type()); }
AluFn select_rem(const Form& form, AluRules&) { return by_integer<Rem>(form.type()); }

}  // namespace jitc::emulator
