// The integers of a type, as numbers wider than any of them.
#pragma once

#include "runtime/emulator/alu/alu.hpp"
#include "runtime/emulator/alu/int128.hpp"

namespace jitc::emulator {

inline bool is_signed(Type type) { return kind_of(type) == TypeKind::signed_integer; }

inline Signed128 least_of(Type type) { return is_signed(type) ? -(Signed128{1} << (width_bits(type) - 1)) : 0; }

inline Signed128 most_of(Type type) { return (Signed128{1} << (width_bits(type) - (is_signed(type) ? 1 : 0))) - 1; }

/// What the low bits say in that type.
inline Signed128 integer_value(Bits bits, Type type) {
  const uint32_t unused = 64 - width_bits(type);
  return is_signed(type) ? Signed128{static_cast<int64_t>(bits << unused) >> unused}
                         : Signed128{bits << unused >> unused};
}

/// The low bits of a number, extended as the type says.
inline Bits integer_bits(Signed128 value, Type type) {
  return static_cast<Bits>(integer_value(static_cast<Bits>(value), type));
}

}  // namespace jitc::emulator
