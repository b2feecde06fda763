// Values, and conditions on which threads agree or not.
#include "tests/unit/block_programs/block_program_maker.hpp"

namespace jitc::blocks {

using namespace kernel;

ExprId BlockProgramMaker::leaf() {
  switch (chance_.below(9)) {
    case 0: return number(chance_.between(-20, 100));
    case 1: return tid();
    case 2: return b_.thread(ThreadValue::kLaneId);
    case 3: return b_.local(uniform_[chance_.below(uniform_.size())]);
    case 4: return b_.convert(DType::i8, b_.load(b_.element(const_array_, below(b_.local(values_[0]), 8))));
    case 5: return b_.load(b_.element(local_array_, below(b_.local(values_[1]), 5)));
    case 6: return b_.convert(DType::i8, b_.load(b_.element(b_.param(in_), below(global_tid(), kInputs))));
    case 7:
      if (const ExprId elem = any_element(b_.local(values_[chance_.below(3)]), false); elem.valid()) return elem;
      [[fallthrough]];
    default: return b_.convert(DType::i8, b_.local(chance_.pick(values_)));
  }
}

ExprId BlockProgramMaker::value(int depth) {
  if (depth == 0 || chance_.once_in(4)) return leaf();
  const ExprId lhs = value(depth - 1);
  switch (chance_.below(8)) {
    case 0: return op(chance_.pick({BinaryOp::kFloorDiv, BinaryOp::kMod}), lhs, number(chance_.between(-5, 9)));
    case 1: return op(chance_.pick({BinaryOp::kShl, BinaryOp::kShr}), lhs, number(chance_.between(0, 9)));
    case 2: return op(chance_.pick({BinaryOp::kMin, BinaryOp::kMax}), lhs, value(depth - 1));
    case 3: return op(chance_.pick({BinaryOp::kAnd, BinaryOp::kOr, BinaryOp::kXor}), lhs, value(depth - 1));
    case 4: {
      const ExprId cond = condition();
      return b_.select(cond, lhs, value(depth - 1));
    }
    default: return op(chance_.pick({BinaryOp::kAdd, BinaryOp::kSub, BinaryOp::kMul}), lhs, value(depth - 1));
  }
}

/// Floats are small integers and their halves: their sums and products are what they are in every order.
ExprId BlockProgramMaker::value_of(DType dtype) {
  const ExprId any = value(2);
  if (dtype == DType::i8) return any;
  if (dtype == DType::b1) return condition();
  if (!is_float(dtype)) return b_.convert(dtype, any);
  const ExprId small = b_.convert(dtype, op(BinaryOp::kAnd, any, number(255)));
  return b_.binary(BinaryOp::kMul, small, b_.constant(dtype, 0.5));
}

ExprId BlockProgramMaker::condition() {
  if (chance_.once_in(6)) return b_.local(values_.back());
  const ExprId lhs = leaf();
  if (chance_.once_in(3)) {
    const int64_t divisor = chance_.between(2, 5);
    return b_.compare(CompareOp::kEq, below(lhs, divisor), number(chance_.between(0, divisor - 1)));
  }
  return b_.compare(chance_.pick({CompareOp::kLt, CompareOp::kLe, CompareOp::kEq, CompareOp::kNe, CompareOp::kGe}), lhs,
                    leaf());
}

ExprId BlockProgramMaker::uniform_leaf(Flow flow) {
  const bool of_block = flow >= Flow::kBlock;
  if (flow == Flow::kWarp && chance_.once_in(2)) return op(BinaryOp::kShr, tid(), number(5));
  switch (chance_.below(8)) {
    case 0: return b_.param(scalar_);
    case 1: return b_.thread(of_block ? ThreadValue::kBlockIdx : ThreadValue::kGridDim, 0);
    case 2: return b_.convert(DType::i8, b_.load(b_.element(b_.param(in_), number(chance_.between(0, kInputs - 1)))));
    case 3: return b_.thread(ThreadValue::kBlockDim, static_cast<uint8_t>(chance_.below(3)));
    case 4:
    case 5:
      if (const ExprId elem = any_element(number(chance_.between(0, 40)), !of_block); elem.valid()) return elem;
      [[fallthrough]];
    case 6: return b_.local(of_block ? chance_.pick(uniform_) : grid_uniform_);
    default: return number(chance_.between(-2, 9));
  }
}

ExprId BlockProgramMaker::uniform(Flow flow, int depth) {
  if (depth == 0) return uniform_leaf(flow);
  const ExprId inner = uniform(flow, depth - 1);
  switch (chance_.below(5)) {
    case 0: {  // what differs goes away again
      const ExprId differs = op(BinaryOp::kMul, b_.local(values_[0]), number(chance_.between(1, 9)));
      return op(BinaryOp::kSub, add(differs, inner), differs);
    }
    case 1: {
      const ExprId cond = condition();
      return b_.select(cond, inner, inner);
    }
    case 2: return inner;
    default:
      return op(chance_.pick({BinaryOp::kAdd, BinaryOp::kXor, BinaryOp::kMul, BinaryOp::kSub}), inner,
                uniform_leaf(flow));
  }
}

ExprId BlockProgramMaker::uniform_condition(Flow flow) {
  const ExprId lhs = uniform(flow, 2);
  if (chance_.once_in(2)) return b_.compare(CompareOp::kEq, below(lhs, 2), number(chance_.between(0, 1)));
  return b_.compare(chance_.pick({CompareOp::kLt, CompareOp::kGe, CompareOp::kNe}), lhs, uniform_leaf(flow));
}

}  // namespace jitc::blocks
