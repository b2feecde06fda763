// Atomic operations on memory that host threads share.
#pragma once

#include <array>
#include <cstddef>

#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// What an operation makes of the old value. `second` is the new value of compare_exchange. Source: PTX ISA, "atom".
Bits updated(AtomicOp op, Type type, Bits old, Bits first, Bits second);

/// Replaces the value at `bytes`, which is aligned to the type, in one step that is ordered before and after all
/// others: every order that PTX knows is weaker. Returns the old value.
Bits update_atomically(std::byte* bytes, AtomicOp op, Type type, Bits first, Bits second);

/// 128 bits, the lower half first.
using WideBits = std::array<Bits, 2>;

/// exchange and compare_exchange on 16 aligned bytes: in one step for all others of that width.
WideBits update_wide_atomically(std::byte* bytes, AtomicOp op, const WideBits& first, const WideBits& second);

}  // namespace jitc::emulator
