// Arithmetic with a carry: .cc writes it, the opcodes that end in c read it. A subtraction's borrow is kept as such: 1
// where something was borrowed. Source: PTX ISA, "Extended-Precision Integer Arithmetic Instructions".
#include "runtime/emulator/alu/int128.hpp"
#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

template <class T, bool reads, bool writes>
Bits add_carry(Bits a, Bits b, Bits, Bits& carry) {
  T sum = 0, total = 0;
  const bool first = __builtin_add_overflow(as<T>(a), as<T>(b), &sum);
  const bool second = __builtin_add_overflow(sum, static_cast<T>(reads ? carry : 0), &total);
  if (writes) carry = first || second;
  return total;
}

template <class T, bool reads, bool writes>
Bits sub_borrow(Bits a, Bits b, Bits, Bits& carry) {
  T difference = 0, total = 0;
  const bool first = __builtin_sub_overflow(as<T>(a), as<T>(b), &difference);
  const bool second = __builtin_sub_overflow(difference, static_cast<T>(reads ? carry : 0), &total);
  if (writes) carry = first || second;
  return total;
}

/// T may be signed, which matters for the high half alone; the sum's carry is that of unsigned addition.
template <class T, bool is_high, bool reads, bool writes>
Bits mad_carry(Bits a, Bits b, Bits c, Bits& carry) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;
  const W product = W(as<T>(a)) * W(as<T>(b));
  const auto half = static_cast<U>(is_high ? product >> (8 * sizeof(T)) : product);
  return add_carry<U, reads, writes>(half, c, 0, carry);
}

struct CarryUse {
  bool reads;   ///< the opcode ends in c
  bool writes;  ///< .cc
};

CarryUse carry_use(const Form& form) { return {form.row->opcode.back() == 'c', form.has("cc")}; }

template <template <class, bool, bool> class Op, class T>
AluFn by_use(CarryUse use) {
  if (use.reads) return use.writes ? &carried<&Op<T, true, true>::apply> : &carried<&Op<T, true, false>::apply>;
  return &carried<&Op<T, false, true>::apply>;
}

template <class T, bool reads, bool writes>
struct AddCarry {
  static Bits apply(Bits a, Bits b, Bits c, Bits& carry) { return add_carry<T, reads, writes>(a, b, c, carry); }
};

template <class T, bool reads, bool writes>
struct SubBorrow {
  static Bits apply(Bits a, Bits b, Bits c, Bits& carry) { return sub_borrow<T, reads, writes>(a, b, c, carry); }
};

template <class T, bool reads, bool writes>
struct MadLoCarry {
  static Bits apply(Bits a, Bits b, Bits c, Bits& carry) { return mad_carry<T, false, reads, writes>(a, b, c, carry); }
};

template <class T, bool reads, bool writes>
struct MadHiCarry {
  static Bits apply(Bits a, Bits b, Bits c, Bits& carry) { return mad_carry<T, true, reads, writes>(a, b, c, carry); }
};

}  // namespace

AluFn select_add_carry(const Form& form, AluRules&) {
  const bool is_wide = width_bits(form.type()) == 64;
  return is_wide ? by_use<AddCarry, uint64_t>(carry_use(form)) : by_use<AddCarry, uint32_t>(carry_use(form));
}

AluFn select_sub_carry(const Form& form, AluRules&) {
  const bool is_wide = width_bits(form.type()) == 64;
  return is_wide ? by_use<SubBorrow, uint64_t>(carry_use(form)) : by_use<SubBorrow, uint32_t>(carry_use(form));
}

AluFn select_mad_carry(const Form& form, AluRules&) {
  const CarryUse use = carry_use(form);
  if (form.has("lo")) {
    return width_bits(form.type()) == 64 ? by_use<MadLoCarry, uint64_t>(use) : by_use<MadLoCarry, uint32_t>(use);
  }
  switch (form.type()) {
    case Type::u32: return by_use<MadHiCarry, uint32_t>(use);
    case Type::s32: return by_use<MadHiCarry, int32_t>(use);
    case Type::u64: return by_use<MadHiCarry, uint64_t>(use);
    default: return by_use<MadHiCarry, int64_t>(use);
  }
}

}  // namespace jitc::emulator
