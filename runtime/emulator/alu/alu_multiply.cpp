// Products and dot products of integers. Source: PTX ISA, "Integer Arithmetic Instructions".
#include <algorithm>
#include <limits>
#include <type_traits>

#include "runtime/emulator/alu/int128.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

template <class T>
using Wide = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;

template <class T>
Wide<T> product(Bits a, Bits b) {
  return Wide<T>(as<T>(a)) * Wide<T>(as<T>(b));
}

template <class T>
Bits high_half(Bits a, Bits b) {
  return to_bits(static_cast<T>(product<T>(a, b) >> (8 * sizeof(T))));
}

template <class T>
struct MulLo {
  static Bits apply(Bits a, Bits b) { return to_bits(as<T>(a * b)); }
};

template <class T>
struct MulHi {
  static Bits apply(Bits a, Bits b) { return high_half<T>(a, b); }
};

/// Of T at most 32 bits wide: the product fits 64.
template <class T>
struct MulWide {
  static Bits apply(Bits a, Bits b) { return to_bits(as<T>(a)) * to_bits(as<T>(b)); }
};

template <class T>
struct MadLo {
  static Bits apply(Bits a, Bits b, Bits c) { return to_bits(as<T>(a * b + c)); }
};

template <class T>
struct MadHi {
  static Bits apply(Bits a, Bits b, Bits c) { return to_bits(as<T>(high_half<T>(a, b) + c)); }
};

template <class T>
struct MadWide {
  static Bits apply(Bits a, Bits b, Bits c) { return MulWide<T>::apply(a, b) + c; }
};

Bits saturated_sum(Bits a, Bits c) {
  const int64_t sum = int64_t{as<int32_t>(a)} + as<int32_t>(c);
  return to_bits(std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
}

Bits mad_hi_sat(Bits a, Bits b, Bits c) { return saturated_sum(high_half<int32_t>(a, b), c); }

/// The low 24 bits, with their sign for signed T.
template <class T>
int64_t low24(Bits a) {
  const auto shifted = as<T>(a << 8);
  return shifted >> 8;
}

/// lo: the product's bits 31..0; hi: its bits 47..16.
template <class T>
struct Mul24Lo {
  static Bits apply(Bits a, Bits b) { return to_bits(static_cast<T>(low24<T>(a) * low24<T>(b))); }
};

template <class T>
struct Mul24Hi {
  static Bits apply(Bits a, Bits b) { return to_bits(static_cast<T>((low24<T>(a) * low24<T>(b)) >> 16)); }
};

template <class T>
struct Mad24Lo {
  static Bits apply(Bits a, Bits b, Bits c) { return to_bits(as<T>(Mul24Lo<T>::apply(a, b) + c)); }
};

template <class T>
struct Mad24Hi {
  static Bits apply(Bits a, Bits b, Bits c) { return to_bits(as<T>(Mul24Hi<T>::apply(a, b) + c)); }
};

Bits mad24_hi_sat(Bits a, Bits b, Bits c) { return saturated_sum(Mul24Hi<int32_t>::apply(a, b), c); }

template <class Element>
int64_t element(Bits packed, int i) {
  return static_cast<Element>(packed >> (8 * sizeof(Element) * static_cast<size_t>(i)));
}

/// c + four products of bytes.
template <class A, class B>
Bits dp4a(Bits a, Bits b, Bits c) {
  int64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += element<A>(a, i) * element<B>(b, i);
  return as<uint32_t>(c + static_cast<Bits>(sum));
}

/// c + two products of a half of a and a byte of b, whose low or high two bytes count.
template <class A, class B, int first>
Bits dp2a(Bits a, Bits b, Bits c) {
  int64_t sum = 0;
  for (int i = 0; i < 2; ++i) sum += element<A>(a, i) * element<B>(b, first + i);
  return as<uint32_t>(c + static_cast<Bits>(sum));
}

template <class A, class B>
AluFn dp2a_of(bool is_high) {
  return is_high ? &plain<&dp2a<A, B, 2>> : &plain<&dp2a<A, B, 0>>;
}

template <template <class> class Op>
AluFn by_signedness(Type type) {
  return type == Type::u32 ? &plain<&Op<uint32_t>::apply> : &plain<&Op<int32_t>::apply>;
}

template <template <class> class Op>
AluFn by_narrow_integer(Type type) {
  if (type == Type::u16) return &plain<&Op<uint16_t>::apply>;
  if (type == Type::s16) return &plain<&Op<int16_t>::apply>;
  return by_signedness<Op>(type);
}

}  // namespace

AluFn select_mul(const Form& form, AluRules&) {
  if (form.has("wide")) return by_narrow_integer<MulWide>(form.type());
  return form.has("hi") ? by_integer<MulHi>(form.type()) : by_integer<MulLo>(form.type());
}

AluFn select_mad(const Form& form, AluRules&) {
  if (form.has("sat")) return &plain<&mad_hi_sat>;
  if (form.has("wide")) return by_narrow_integer<MadWide>(form.type());
  return form.has("hi") ? by_integer<MadHi>(form.type()) : by_integer<MadLo>(form.type());
}

AluFn select_mul24(const Form& form, AluRules&) {
  return form.has("hi") ? by_signedness<Mul24Hi>(form.type()) : by_signedness<Mul24Lo>(form.type());
}

AluFn select_mad24(const Form& form, AluRules&) {
  if (form.has("sat")) return &plain<&mad24_hi_sat>;
  return form.has("hi") ? by_signedness<Mad24Hi>(form.type()) : by_signedness<Mad24Lo>(form.type());
}

AluFn select_dp4a(const Form& form, AluRules&) {
  const bool a = form.type(0) == Type::s32, b = form.type(1) == Type::s32;
  if (a) return b ? &plain<&dp4a<int8_t, int8_t>> : &plain<&dp4a<int8_t, uint8_t>>;
  return b ? &plain<&dp4a<uint8_t, int8_t>> : &plain<&dp4a<uint8_t, uint8_t>>;
}

AluFn select_dp2a(const Form& form, AluRules&) {
  const bool a = form.type(0) == Type::s32, b = form.type(1) == Type::s32, is_high = form.has("hi");
  if (a) return b ? dp2a_of<int16_t, int8_t>(is_high) : dp2a_of<int16_t, uint8_t>(is_high);
  return b ? dp2a_of<uint16_t, int8_t>(is_high) : dp2a_of<uint16_t, uint8_t>(is_high);
}

}  // namespace jitc::emulator
