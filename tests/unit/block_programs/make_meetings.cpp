// Barriers, reductions and warp operations, alone and in the shapes that real kernels have.
#include "tests/unit/block_programs/block_program_maker.hpp"

namespace jitc::blocks {

using namespace kernel;
using Kind = ArrayState::Kind;

std::optional<uint32_t> BlockProgramMaker::barrier_site() {
  if (!is_checked_) return {};
  const auto line = static_cast<uint32_t>(b_.program().fail_sites.size() + 1);
  return b_.add_fail_site({FailKind::barrier, "", line, 1});
}

void BlockProgramMaker::barrier() {
  b_.barrier(BarrierOp::kBlock, {}, {}, barrier_site());
  after_barrier(false);
}

void BlockProgramMaker::grid_barrier() {
  b_.barrier(BarrierOp::kGrid, {}, {}, barrier_site());
  after_barrier(true);
}

void BlockProgramMaker::block_reduction() {
  const LocalId result = fresh("met", DType::i4);
  const BarrierOp chosen = chance_.pick({BarrierOp::kBlockCount, BarrierOp::kBlockAnd, BarrierOp::kBlockOr});
  const ExprId predicate = chance_.once_in(4) ? uniform_condition(Flow::kBlock) : condition();
  b_.barrier(chosen, predicate, chance_.once_in(8) ? LocalId() : result, barrier_site());
  after_barrier(false);
  const LocalId target = chance_.pick(uniform_);
  b_.assign(target, add(b_.local(target), b_.convert(DType::i8, b_.local(result))));
}

void BlockProgramMaker::assign_uniform() {
  if (flow_ == Flow::kGrid && chance_.once_in(2)) return void(b_.assign(grid_uniform_, uniform(Flow::kGrid, 1)));
  b_.assign(chance_.pick(uniform_), uniform(Flow::kBlock, 2));
}

/// barrier; for (s = 64; s > 0; s /= 2) { if (tid < s and tid + s < threads) a[tid] += a[tid + s]; barrier; } u = a[0]
void BlockProgramMaker::tree_reduction() {
  const size_t array = 0;  // of i8
  block_all();
  barrier();
  const LocalId distance = fresh("distance", DType::i8);
  b_.assign(distance, number(64));
  b_.loop(
      b_.add_label("tree"), [&] { return b_.compare(CompareOp::kGt, b_.local(distance), number(0)); },
      [&] {
        const ExprId other = add(tid(), b_.local(distance));
        const ExprId is_lower = b_.compare(CompareOp::kLt, tid(), b_.local(distance));
        const ExprId is_there = b_.compare(CompareOp::kLt, other, number(threads_));
        b_.if_then(op(BinaryOp::kAnd, is_lower, is_there), [&] {
          b_.store(element(array, tid()), add(b_.load(element(array, tid())), b_.load(element(array, other))));
        });
        barrier();
      },
      [&] { b_.assign(distance, op(BinaryOp::kShr, b_.local(distance), number(1))); });
  b_.assign(chance_.pick(uniform_), b_.load(element(array, number(0))));
  states_[array] = {Kind::kRead};
}

ExprId BlockProgramMaker::mask() { return mask_.valid() ? b_.local(mask_) : b_.constant(DType::u4, UINT32_MAX); }

bool BlockProgramMaker::is_defined(WarpOp op) const {
  if (defined_ == Defined::on_cpu) return true;
  if (is_shuffle(op)) return !can_lack_lanes_ && !mask_.valid();
  return op != WarpOp::kActive;
}

void BlockProgramMaker::warp_op() {
  using enum WarpOp;
  WarpOp chosen = chance_.pick(
      {kSync, kShflIdx, kShflUp, kShflDown, kShflXor, kAll, kAny, kUniform, kBallot, kMatchAny, kMatchAll, kActive});
  if (!is_defined(chosen)) chosen = kBallot;
  const DType word = chance_.pick({DType::i8, DType::i4, DType::u4, DType::u8, DType::f4, DType::f8});
  const bool is_logical = chosen == kAll || chosen == kAny || chosen == kUniform;
  const LocalId result = fresh("met", is_shuffle(chosen) ? word : is_logical ? DType::b1 : DType::u4);
  ExprId brought, lane;
  if (is_shuffle(chosen)) brought = value_of(word);
  if (is_match(chosen)) brought = b_.convert(word, below(value(1), 3));
  if (is_vote(chosen)) brought = condition();
  if (is_shuffle(chosen)) lane = b_.convert(DType::i4, chance_.once_in(2) ? value(1) : number(chance_.between(-1, 33)));
  b_.warp(chosen, chosen == kActive ? ExprId() : mask(), brought, lane, chosen == kSync ? LocalId() : result);
  if (chosen == kSync) return;
  const LocalId target = values_[chance_.below(3)];
  b_.assign(target, op(BinaryOp::kXor, b_.local(target), b_.convert(DType::i8, b_.local(result))));
}

/// a[tid] = v; syncwarp; v = a[another lane of the warp]; syncwarp
void BlockProgramMaker::warp_exchange() {
  const size_t array = chance_.below(arrays_.size());
  const ExprId brought = value_of(arrays_[array].dtype);
  ArrayState& state = states_[array];
  const bool is_own = state.kind == Kind::kOwn && state.slots == 0;
  if (arrays_[array].of_grid || (!is_own && state.kind != Kind::kClean)) return warp_op();
  state = {Kind::kOwn, 0};
  b_.store(element(array, tid()), brought);
  b_.warp(WarpOp::kSync, b_.constant(DType::u4, UINT32_MAX));
  const ExprId first = op(BinaryOp::kAnd, tid(), number(-32));
  const ExprId lane = op(BinaryOp::kAnd, add(tid(), number(chance_.between(1, 31))), number(31));
  const ExprId other = op(BinaryOp::kMin, add(first, lane), number(threads_ - 1));
  b_.assign(values_[2], b_.convert(DType::i8, b_.load(element(array, other))));
  b_.warp(WarpOp::kSync, b_.constant(DType::u4, UINT32_MAX));
}

}  // namespace jitc::blocks
