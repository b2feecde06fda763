#include "runtime/emulator/exec/atomic.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "runtime/emulator/alu/float_rules.hpp"
#include "runtime/emulator/alu/integer_range.hpp"

namespace jitc::emulator {
namespace {

/// Sums of floats: f32 and packed halves flush nothing here (global memory keeps subnormals), rounded to nearest.
Bits sum_of(Type type, Bits a, Bits b) {
  const auto one = [](const AluRules& rules, Bits x, Bits y) {
    const FloatFormat& format = format_of(rules.to);
    return round_to(add(exact_of(x, format), exact_of(y, format), Rounding::nearest_even), format,
                    Rounding::nearest_even);
  };
  AluRules rules;
  rules.to = type;
  if (kind_of(type) == TypeKind::real) return one(rules, a, b);
  if (kind_of(type) != TypeKind::packed) return a + b;
  return one(rules, a & 0xffff, b & 0xffff) | one(rules, a >> 16 & 0xffff, b >> 16 & 0xffff) << 16;
}

bool is_less(Type type, Bits a, Bits b) { return integer_value(a, type) < integer_value(b, type); }

template <class T>
Bits update_word(std::byte* bytes, AtomicOp op, Type type, Bits first, Bits second) {
  std::atomic_ref<T> word(*reinterpret_cast<T*>(bytes));
  T old = word.load();
  while (!word.compare_exchange_weak(old, static_cast<T>(updated(op, type, old, first, second)))) {}
  return old;
}

}  // namespace

Bits updated(AtomicOp op, Type type, Bits old, Bits first, Bits second) {
  const Bits mask = ~Bits{0} >> (64 - width_bits(type));
  switch (op) {
    case AtomicOp::bit_and: return old & first;
    case AtomicOp::bit_or: return old | first;
    case AtomicOp::bit_xor: return old ^ first;
    case AtomicOp::exchange: return first;
    case AtomicOp::compare_exchange: return (old & mask) == (first & mask) ? second : old;
    case AtomicOp::add: return sum_of(type, old, first);
    case AtomicOp::inc: return (old & mask) >= (first & mask) ? 0 : old + 1;
    case AtomicOp::dec: return (old & mask) == 0 || (old & mask) > (first & mask) ? first : old - 1;
    case AtomicOp::min: return is_less(type, first, old) ? first : old;
    case AtomicOp::max: return is_less(type, old, first) ? first : old;
    case AtomicOp::none: break;
  }
  return old;
}

Bits update_atomically(std::byte* bytes, AtomicOp op, Type type, Bits first, Bits second) {
  switch (width_bits(type)) {
    case 16: return update_word<uint16_t>(bytes, op, type, first, second);
    case 32: return update_word<uint32_t>(bytes, op, type, first, second);
    default: return update_word<uint64_t>(bytes, op, type, first, second);
  }
}

/// One lock for all: hosts have no such instruction in common.
WideBits update_wide_atomically(std::byte* bytes, AtomicOp op, const WideBits& first, const WideBits& second) {
  static std::mutex lock;
  const std::lock_guard guard(lock);
  const auto word = [&](size_t i) { return std::atomic_ref<Bits>(reinterpret_cast<Bits*>(bytes)[i]); };
  const WideBits old = {word(0).load(), word(1).load()};
  const WideBits& updated = op == AtomicOp::exchange ? first : old == first ? second : old;
  for (size_t i = 0; i < 2; ++i) word(i).store(updated[i]);
  return old;
}

}  // namespace jitc::emulator
