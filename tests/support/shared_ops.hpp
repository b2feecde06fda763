// The values of the operations in which threads work together: atomics, and the exchanges of a warp. As scalar_ops.hpp
// does for one thread, this shares no code with the compiler but the IR's enumerations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "src/kernel/ir.hpp"
#include "tests/support/scalar_ops.hpp"

namespace jitc::reference {

/// What an atomic operation stores where `old` is; nothing where it stores nothing.
std::optional<Bits> atomic_stores(kernel::AtomicOp op, DType type, Bits old, Bits value, Bits expected);

constexpr uint32_t kWarpLanes = 32;

/// What one lane brings to a warp operation.
struct LaneInput {
  bool here = false;
  Bits value = 0;  ///< b1: 0 or 1
  uint32_t lane = 0;
};
using WarpInput = std::array<LaneInput, kWarpLanes>;

/// What the lane `me`, which is here, gets.
Bits warp_result(kernel::WarpOp op, const WarpInput& lanes, uint32_t me);

/// What every thread gets at a barrier where the predicate holds in `count` of the `all` threads.
Bits barrier_result(kernel::BarrierOp op, uint32_t count, uint32_t all);

}  // namespace jitc::reference
