// Shifts, funnel shifts and byte permutation. A shift's amount is an unsigned 32-bit number; beyond the width it counts
// as the width. Source: PTX ISA, "Logic and Shift Instructions", "Data Movement: prmt".
#include <algorithm>
#include <type_traits>

#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

template <class T>
struct Shl {
  static Bits apply(Bits a, Bits amount) {
    const auto count = as<uint32_t>(amount);
    return count >= 8 * sizeof(T) ? 0 : as<T>(a << count);
  }
};

/// Of signed T: with copies of the sign. A word shifted by its width less one and once more is all sign, or zero.
template <class T>
struct Shr {
  static Bits apply(Bits a, Bits amount) {
    const auto count = as<uint32_t>(amount);
    if (count < 8 * sizeof(T)) return to_bits(static_cast<T>(as<T>(a) >> count));
    return to_bits(as<T>(std::is_signed_v<T> && as<T>(a) < 0 ? ~Bits{0} : 0));
  }
};

template <bool wraps>
Bits funnel_amount(Bits c) {
  return wraps ? c & 31 : std::min<Bits>(as<uint32_t>(c), 32);
}

/// The high word of b:a shifted left.
template <bool wraps>
Bits funnel_left(Bits a, Bits b, Bits c) {
  const Bits both = b << 32 | as<uint32_t>(a);
  return both << funnel_amount<wraps>(c) >> 32;
}

/// The low word of b:a shifted right.
template <bool wraps>
Bits funnel_right(Bits a, Bits b, Bits c) {
  const Bits both = b << 32 | as<uint32_t>(a);
  return as<uint32_t>(both >> funnel_amount<wraps>(c));
}

Bits byte_of(Bits both, Bits at) { return both >> (8 * (at & 7)) & 255; }

/// Each nibble of c names a byte of b:a; its top bit asks for eight copies of that byte's sign.
Bits permute(Bits a, Bits b, Bits c) {
  const Bits both = b << 32 | as<uint32_t>(a);
  Bits result = 0;
  for (Bits i = 0; i < 4; ++i) {
    const Bits nibble = c >> (4 * i) & 15, byte = byte_of(both, nibble);
    result |= ((nibble & 8) != 0 ? ((byte & 128) != 0 ? 255 : 0) : byte) << (8 * i);
  }
  return result;
}

/// The modes of prmt: which byte of b:a stands at place i, for each value of c's low two bits.
enum PermuteMode : uint8_t { f4e, b4e, rc8, ecl, ecr, rc16 };

Bits source_byte(uint8_t mode, Bits select, Bits i) {
  switch (mode) {
    case f4e: return select + i;
    case b4e: return (select - i) & 7;
    case rc8: return select;
    case ecl: return std::max(select, i);
    case ecr: return std::min(select, i);
    default: return (select & 1) * 2 + (i & 1);
  }
}

Bits permute_by_mode(const AluRules& rules, Bits a, Bits b, Bits c) {
  const Bits both = b << 32 | as<uint32_t>(a);
  Bits result = 0;
  for (Bits i = 0; i < 4; ++i) result |= byte_of(both, source_byte(rules.variant, c & 3, i)) << (8 * i);
  return result;
}

template <template <class> class Op>
AluFn by_shifted_type(Type type) {
  return kind_of(type) == TypeKind::signed_integer ? by_integer<Op>(type) : by_width<Op>(type);
}

}  // namespace

AluFn select_shl(const Form& form, AluRules&) { return by_width<Shl>(form.type()); }
AluFn select_shr(const Form& form, AluRules&) { return by_shifted_type<Shr>(form.type()); }

AluFn select_shf(const Form& form, AluRules&) {
  if (form.has("l")) return form.has("wrap") ? &plain<&funnel_left<true>> : &plain<&funnel_left<false>>;
  return form.has("wrap") ? &plain<&funnel_right<true>> : &plain<&funnel_right<false>>;
}

AluFn select_prmt(const Form& form, AluRules& rules) {
  constexpr std::string_view kModes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  for (uint8_t mode = f4e; mode <= rc16; ++mode) {
    if (!form.has(kModes[mode])) continue;
    rules.variant = mode;
    return &ruled<&permute_by_mode>;
  }
  return &plain<&permute>;
}

}  // namespace jitc::emulator
