// The facts of each operator of the kernel IR that the verifier and the printer share.
#pragma once

#include "src/kernel/ir.hpp"
#include "src/kernel/math_types.hpp"

namespace jitc::kernel {

/// A set of scalar kinds, as bits.
enum Kinds : uint8_t { kBools = 1, kInts = 2, kFloats = 4, kNumbers = kInts | kFloats, kBits = kBools | kInts };

constexpr Kinds kind_of(DType dtype) { return is_bool(dtype) ? kBools : is_int(dtype) ? kInts : kFloats; }

/// How tightly printed operators bind: Python's levels.
enum class Level : uint8_t { kTernary, kNot, kCompare, kOr, kXor, kAnd, kShift, kSum, kProduct, kUnary, kPower, kAtom };

struct UnaryInfo {
  const char* spelling;
  Kinds operands;
  bool gives_bool;
  Level level;  ///< kAtom: written as a call
};
struct BinaryInfo {
  const char* spelling;
  Kinds operands;
  Level level;  ///< kAtom: written as a call
};

struct AtomicInfo {
  const char* spelling;
  Kinds elements;
};

constexpr bool is_shuffle(WarpOp op) { return op >= WarpOp::kShflIdx && op <= WarpOp::kShflXor; }
constexpr bool is_vote(WarpOp op) { return op >= WarpOp::kAll && op <= WarpOp::kBallot; }
constexpr bool is_match(WarpOp op) { return op == WarpOp::kMatchAny || op == WarpOp::kMatchAll; }
constexpr bool is_reduction(BarrierOp op) { return op >= BarrierOp::kBlockCount && op <= BarrierOp::kBlockOr; }
constexpr bool has_one_axis(ThreadValue value) { return value >= ThreadValue::kLaneId; }

const UnaryInfo& info(UnaryOp op);
const BinaryInfo& info(BinaryOp op);
const char* spelling(CompareOp op);
const AtomicInfo& info(AtomicOp op);
const char* spelling(BarrierOp op);
const char* spelling(FenceScope scope);
const char* spelling(WarpOp op);
const char* spelling(ThreadValue value);
const char* spelling(MemorySpace space);

}  // namespace jitc::kernel
