// Counting, finding and reversing bits. Source: PTX ISA, "Integer Arithmetic Instructions".
#include <bit>
#include <type_traits>

#include "runtime/emulator/alu/lanes.hpp"
#include "runtime/emulator/alu/selectors.hpp"

namespace jitc::emulator {
namespace {

constexpr Bits kNotFound = UINT32_MAX;

template <class T>
struct Popc {
  static Bits apply(Bits a) { return static_cast<Bits>(std::popcount(as<T>(a))); }
};

template <class T>
struct Clz {
  static Bits apply(Bits a) { return static_cast<Bits>(std::countl_zero(as<T>(a))); }
};

template <class T>
struct Brev {
  static Bits apply(Bits a) {
    Bits reversed = 0;
    for (size_t i = 0; i < 8 * sizeof(T); ++i) reversed = reversed << 1 | (a >> i & 1);
    return reversed;
  }
};

/// The highest bit that differs from the sign (signed) or is set (unsigned).
template <class T>
struct Bfind {
  static Bits apply(Bits a) {
    using U = std::make_unsigned_t<T>;
    const auto bits = static_cast<U>(as<T>(a) < 0 ? ~a : a);
    return bits == 0 ? kNotFound : static_cast<Bits>(std::bit_width(bits) - 1);
  }
};

/// How far left that bit would have to be shifted.
template <class T>
struct BfindShift {
  static Bits apply(Bits a) {
    const Bits at = Bfind<T>::apply(a);
    return at == kNotFound ? kNotFound : 8 * sizeof(T) - 1 - at;
  }
};

/// The |offset|-th set bit from `base` on, upwards or downwards; offset 0 asks for `base` itself.
Bits fns(Bits mask, Bits base, Bits offset) {
  const auto set = as<uint32_t>(mask);
  const auto is_set = [&](int64_t at) { return at >= 0 && at < 32 && (set >> at & 1) != 0; };
  const int64_t first = as<uint32_t>(base), count = as<int32_t>(offset);
  if (count == 0) return is_set(first) ? static_cast<Bits>(first) : kNotFound;
  const int64_t step = count > 0 ? 1 : -1;
  int64_t left = count > 0 ? count : -count;
  for (int64_t at = first; at >= 0 && at < 32; at += step) {
    if (is_set(at) && --left == 0) return static_cast<Bits>(at);
  }
  return kNotFound;
}

}  // namespace

AluFn select_popc(const Form& form, AluRules&) { return by_width<Popc>(form.type()); }
AluFn select_clz(const Form& form, AluRules&) { return by_width<Clz>(form.type()); }
AluFn select_brev(const Form& form, AluRules&) { return by_width<Brev>(form.type()); }
AluFn select_fns(const Form&, AluRules&) { return &plain<&fns>; }

AluFn select_bfind(const Form& form, AluRules&) {
  return form.has("shiftamt") ? by_integer<BfindShift>(form.type()) : by_integer<Bfind>(form.type());
}

}  // namespace jitc::emulator
