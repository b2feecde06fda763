// Sums, differences, signs and order of integers. Sums wrap. Source: PTX ISA, "Integer Arithmetic Instructions".
#include <algorithm>
#include <limits>
#include <type_traits>

#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

template <class T>
struct Add {
  static Bits apply(Bits a, Bits b) { return to_bits(as<T>(a + b)); }
};

template <class T>
struct Sub {
  static Bits apply(Bits a, Bits b) { return to_bits(as<T>(a - b)); }
};

Bits saturated(int64_t wide) {
  const int64_t least = std::numeric_limits<int32_t>::min(), most = std::numeric_limits<int32_t>::max();
  return to_bits(std::clamp(wide, least, most));
}

Bits add_sat(Bits a, Bits b) { return saturated(int64_t{as<int32_t>(a)} + as<int32_t>(b)); }
Bits sub_sat(Bits a, Bits b) { return saturated(int64_t{as<int32_t>(a)} - as<int32_t>(b)); }

/// The difference is taken in Bits: |a - b| of two signed values may need their whole width.
template <class T>
struct Sad {
  static Bits apply(Bits a, Bits b, Bits c) {
    const Bits distance = as<T>(a) < as<T>(b) ? b - a : a - b;
    return to_bits(as<T>(c + distance));
  }
};

template <class T>
struct Abs {
  static Bits apply(Bits a) { return to_bits(as<T>(as<T>(a) < 0 ? 0 - a : a)); }
};

template <class T>
struct Neg {
  static Bits apply(Bits a) { return to_bits(as<T>(0 - a)); }
};

template <class T>
struct Min {
  static Bits apply(Bits a, Bits b) { return to_bits(std::min(as<T>(a), as<T>(b))); }
};

template <class T>
struct Max {
  static Bits apply(Bits a, Bits b) { return to_bits(std::max(as<T>(a), as<T>(b))); }
};

Bits relu(int32_t value) { return to_bits(std::max(value, 0)); }
Bits min_relu(Bits a, Bits b) { return relu(std::min(as<int32_t>(a), as<int32_t>(b))); }
Bits max_relu(Bits a, Bits b) { return relu(std::max(as<int32_t>(a), as<int32_t>(b))); }

}  // namespace

AluFn select_add(const Form& form, AluRules&) {
  return form.has("sat") ? &plain<&add_sat> : by_integer<Add>(form.type());
}

AluFn select_sub(const Form& form, AluRules&) {
  return form.has("sat") ? &plain<&sub_sat> : by_integer<Sub>(form.type());
}

AluFn select_min(const Form& form, AluRules&) {
  return form.has("relu") ? &plain<&min_relu> : by_integer<Min>(form.type());
}

AluFn select_max(const Form& form, AluRules&) {
  return form.has("relu") ? &plain<&max_relu> : by_integer<Max>(form.type());
}

AluFn select_sad(const Form& form, AluRules&) { return by_integer<Sad>(form.type()); }
AluFn select_abs(const Form& form, AluRules&) { return by_integer<Abs>(form.type()); }
AluFn select_neg(const Form& form, AluRules&) { return by_integer<Neg>(form.type()); }

}  // namespace jitc::emulator
