#include "tests/support/shared_ops.hpp"

#include <cmath>

#include "src/base/check.hpp"
#include "tests/support/scalar_bits.hpp"

namespace jitc::reference {

namespace {

using kernel::AtomicOp;
using kernel::BarrierOp;
using kernel::BinaryOp;
using kernel::CompareOp;
using kernel::WarpOp;

bool is_nan(DType type, Bits bits) {
  if (type == DType::f4) return std::isnan(float_of<float>(bits));
  return type == DType::f8 && std::isnan(float_of<double>(bits));
}

/// Max and min store the value where it compares as better; a NaN compares as nothing.
std::optional<Bits> if_better(CompareOp better, DType type, Bits old, Bits value) {
  return compare(better, type, value, old) ? std::optional(value) : std::nullopt;
}

std::optional<Bits> if_better_or_nan(CompareOp better, DType type, Bits old, Bits value) {
  return is_nan(type, old) && !is_nan(type, value) ? std::optional(value) : if_better(better, type, old, value);
}

template <class Holds>
uint32_t lanes_where(const WarpInput& lanes, Holds holds) {
  uint32_t set = 0;
  for (uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    if (lanes[lane].here && holds(lanes[lane])) set |= uint32_t{1} << lane;
  }
  return set;
}

Bits value_of_lane(const WarpInput& lanes, int64_t from, uint32_t me) {
  const bool takes_part = from >= 0 && from < kWarpLanes && lanes[static_cast<size_t>(from)].here;
  return lanes[takes_part ? static_cast<size_t>(from) : me].value;
}

}  // namespace

std::optional<Bits> atomic_stores(AtomicOp op, DType type, Bits old, Bits value, Bits expected) {
  switch (op) {
    case AtomicOp::kAdd: return binary(BinaryOp::kAdd, type, old, value);
    case AtomicOp::kSub: return binary(BinaryOp::kSub, type, old, value);
    case AtomicOp::kAnd: return old & value;
    case AtomicOp::kOr: return old | value;
    case AtomicOp::kXor: return old ^ value;
    case AtomicOp::kExch: return value;
    case AtomicOp::kInc: return old >= value ? 0 : old + 1;  // the bits, as unsigned numbers
    case AtomicOp::kDec: return old == 0 || old > value ? value : old - 1;
    case AtomicOp::kMax: return if_better(CompareOp::kGt, type, old, value);
    case AtomicOp::kMin: return if_better(CompareOp::kLt, type, old, value);
    case AtomicOp::kNanMax: return if_better_or_nan(CompareOp::kGt, type, old, value);
    case AtomicOp::kNanMin: return if_better_or_nan(CompareOp::kLt, type, old, value);
    case AtomicOp::kCas: return old == expected ? std::optional(value) : std::nullopt;
  }
  JITC_CHECK(false, "no such atomic operation");
}

Bits warp_result(WarpOp op, const WarpInput& lanes, uint32_t me) {
  const LaneInput& mine = lanes[me];
  const int64_t distance = mine.lane % kWarpLanes;
  const uint32_t here = lanes_where(lanes, [](const LaneInput&) { return true; });
  const uint32_t holding = lanes_where(lanes, [](const LaneInput& lane) { return lane.value != 0; });
  const uint32_t alike = lanes_where(lanes, [&](const LaneInput& lane) { return lane.value == mine.value; });
  switch (op) {
    case WarpOp::kSync: return 0;
    case WarpOp::kShflIdx: return value_of_lane(lanes, distance, me);
    case WarpOp::kShflUp: return value_of_lane(lanes, int64_t{me} - distance, me);
    case WarpOp::kShflDown: return value_of_lane(lanes, int64_t{me} + distance, me);
    case WarpOp::kShflXor: return value_of_lane(lanes, int64_t{me} ^ distance, me);
    case WarpOp::kAll: return holding == here ? 1 : 0;
    case WarpOp::kAny: return holding != 0 ? 1 : 0;
    case WarpOp::kUniform: return alike == here ? 1 : 0;
    case WarpOp::kBallot: return holding;
    case WarpOp::kMatchAny: return alike;
    case WarpOp::kMatchAll: return alike == here ? here : 0;
    case WarpOp::kActive: return here;
  }
  JITC_CHECK(false, "no such warp operation");
}

Bits barrier_result(BarrierOp op, uint32_t count, uint32_t all) {
  if (op == BarrierOp::kBlockCount) return count;
  if (op == BarrierOp::kBlockAnd) return count == all ? 1 : 0;
  return op == BarrierOp::kBlockOr && count != 0 ? 1 : 0;
}

}  // namespace jitc::reference
