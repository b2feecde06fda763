// Bit fields: extract, insert, extend, mask. Positions and lengths are bytes; what lies beyond the word is cut off.
// Source: PTX ISA, "Integer Arithmetic Instructions: bfe, bfi, szext, bmsk".
#include <algorithm>
#include <type_traits>

#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

/// `count` ones from bit 0 on, of at most 64.
Bits ones(Bits count) { return count >= 64 ? ~Bits{0} : (Bits{1} << count) - 1; }

/// bfe: a field that reaches beyond the word is filled with its sign (signed) or with zeros.
template <class T>
struct Extract {
  static Bits apply(Bits a, Bits position, Bits length) {
    constexpr Bits width = 8 * sizeof(T);
    const Bits first = position & 255, count = length & 255;
    const Bits word = as<std::make_unsigned_t<T>>(a);
    const Bits field = first < width ? word >> first & ones(count) : 0;
    if (!std::is_signed_v<T> || count == 0) return field;
    const Bits sign_at = std::min(first + count - 1, width - 1);
    const Bits have = first < width ? std::min(count, width - first) : 0;
    const bool is_negative = (word >> sign_at & 1) != 0;
    return to_bits(as<T>(is_negative ? field | ~ones(have) : field));
  }
};

template <class T>
struct Insert {
  static Bits apply(Bits a, Bits b, Bits position, Bits length) {
    const Bits first = position & 255, count = length & 255;
    if (first >= 8 * sizeof(T)) return as<T>(b);
    const Bits mask = ones(count) << first;
    return as<T>((b & ~mask) | (a << first & mask));
  }
};

/// The number of bits that count: the operand itself up to 32 (clamp), or its low five bits (wrap).
Bits bounded(Bits amount, bool wraps) { return wraps ? amount & 31 : std::min<Bits>(as<uint32_t>(amount), 32); }

template <class T, bool wraps>
Bits extend(Bits a, Bits size) {
  const Bits count = bounded(size, wraps);
  const Bits field = as<uint32_t>(a) & ones(count);
  const bool is_negative = std::is_signed_v<T> && count > 0 && (field >> (count - 1) & 1) != 0;
  return to_bits(as<T>(is_negative ? field | ~ones(count) : field));
}

template <bool wraps>
Bits mask_bits(Bits first, Bits size) {
  const Bits from = bounded(first, wraps), count = bounded(size, wraps);
  return as<uint32_t>(ones(count) << from);
}

}  // namespace

AluFn select_bfe(const Form& form, AluRules&) { return by_integer<Extract>(form.type()); }
AluFn select_bfi(const Form& form, AluRules&) { return by_width<Insert>(form.type()); }

AluFn select_szext(const Form& form, AluRules&) {
  if (form.type() == Type::s32)
    return form.has("wrap") ? &plain<&extend<int32_t, true>> : &plain<&extend<int32_t, false>>;
  return form.has("wrap") ? &plain<&extend<uint32_t, true>> : &plain<&extend<uint32_t, false>>;
}

AluFn select_bmsk(const Form& form, AluRules&) {
  return form.has("wrap") ? &plain<&mask_bits<true>> : &plain<&mask_bits<false>>;
}

}  // namespace jitc::emulator
