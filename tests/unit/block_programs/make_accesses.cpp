// What threads do by themselves: to their locals, their own slots of arrays, and with atomics that commute.
#include "tests/unit/block_programs/block_program_maker.hpp"

namespace jitc::blocks {

using namespace kernel;
using Kind = ArrayState::Kind;

MemRef BlockProgramMaker::element(size_t array, ExprId index) { return b_.element(arrays_[array].base, index); }

ExprId BlockProgramMaker::slot_of(size_t slots, ExprId thread, bool of_grid) {
  const auto [a, b] = slot_ways_[slots];
  if (a == 1 && b == 0) return thread;
  return below(add(op(BinaryOp::kMul, thread, number(a)), number(b)), of_grid ? threads_ * blocks_ : threads_);
}

bool BlockProgramMaker::is_readable(size_t array) const {
  return states_[array].kind == Kind::kClean || states_[array].kind == Kind::kRead;
}

ExprId BlockProgramMaker::any_element(ExprId index, bool of_grid_only) {
  std::vector<size_t> readable;
  for (size_t i = 0; i < arrays_.size(); ++i) {
    if (is_readable(i) && (arrays_[i].of_grid || !of_grid_only)) readable.push_back(i);
  }
  if (readable.empty()) return {};
  const size_t array = chance_.pick(readable);
  states_[array] = {Kind::kRead};
  const int64_t count = arrays_[array].of_grid ? threads_ * blocks_ : threads_;
  return b_.convert(DType::i8, b_.load(element(array, below(index, count))));
}

ExprId BlockProgramMaker::own_slot(size_t array) {
  ArrayState& state = states_[array];
  if (state.kind == Kind::kClean) state = {Kind::kOwn, chance_.below(slot_ways_.size())};
  if (state.kind != Kind::kOwn) return {};
  const bool of_grid = arrays_[array].of_grid;
  return slot_of(state.slots, of_grid ? global_tid() : tid(), of_grid);
}

void BlockProgramMaker::store_own() {
  const size_t array = chance_.below(arrays_.size());
  const ExprId stored = value_of(arrays_[array].dtype);
  const ExprId slot = own_slot(array);
  if (!slot.valid()) return assign_local();
  if (chance_.once_in(2)) return void(b_.store(element(array, slot), stored));
  b_.store(element(array, slot), b_.binary(BinaryOp::kAdd, b_.load(element(array, slot)), stored));
}

/// With a result: no other thread changes the element before the next barrier.
void BlockProgramMaker::atomic_own() {
  const size_t array = chance_.below(arrays_.size());
  const DType dtype = arrays_[array].dtype;
  const ExprId operand = value_of(dtype), expected = value_of(dtype);
  const ExprId slot = own_slot(array);
  if (!slot.valid()) return assign_local();
  std::vector<AtomicOp> ops = {AtomicOp::kAdd, AtomicOp::kSub,    AtomicOp::kExch,   AtomicOp::kMax,
                               AtomicOp::kMin, AtomicOp::kNanMax, AtomicOp::kNanMin, AtomicOp::kCas};
  if (is_int(dtype)) {
    for (AtomicOp more : {AtomicOp::kAnd, AtomicOp::kOr, AtomicOp::kXor, AtomicOp::kInc, AtomicOp::kDec}) {
      ops.push_back(more);
    }
  }
  const AtomicOp chosen = chance_.pick(ops);
  const LocalId old = fresh("old", dtype);
  b_.atomic(chosen, element(array, slot), operand, old, chosen == AtomicOp::kCas ? expected : ExprId());
  b_.assign(values_[1], add(b_.local(values_[1]), b_.convert(DType::i8, b_.local(old))));
}

namespace {

/// Within one of them the order is of no matter.
constexpr AtomicOp kCommutative[] = {AtomicOp::kAdd, AtomicOp::kAnd, AtomicOp::kOr, AtomicOp::kXor,
                                     AtomicOp::kMax, AtomicOp::kMin, AtomicOp::kInc};

}  // namespace

void BlockProgramMaker::atomic_shared() {
  const size_t array = chance_.below(arrays_.size());
  ArrayState& state = states_[array];
  if (!is_int(arrays_[array].dtype)) return assign_local();
  AtomicOp chosen = kCommutative[chance_.below(std::size(kCommutative))];
  if (state.kind == Kind::kAtomic) chosen = state.op;
  const ExprId index = below(value(1), threads_);
  const ExprId operand =
      chosen == AtomicOp::kInc ? b_.constant(arrays_[array].dtype, 7) : value_of(arrays_[array].dtype);
  if (state.kind != Kind::kClean && state.kind != Kind::kAtomic) return assign_local();
  state = {Kind::kAtomic, 0, chosen};
  b_.atomic(chosen, element(array, index), operand, {});
}

/// Each operation has eight counters of its own.
void BlockProgramMaker::atomic_global() {
  const size_t which = chance_.below(std::size(kCommutative));
  const bool wide = chance_.once_in(2);
  const DType dtype = wide ? DType::i8 : DType::u4;
  const ExprId index = add(below(value(1), 8), number(static_cast<int64_t>(which) * 8));
  const AtomicOp chosen = kCommutative[which];
  const ExprId operand = chosen == AtomicOp::kInc ? b_.constant(dtype, 12) : value_of(dtype);
  b_.atomic(chosen, b_.element(b_.param(wide ? wide_ : narrow_), index), operand, {});
}

void BlockProgramMaker::store_out() {
  const ExprId slot = add(op(BinaryOp::kMul, global_tid(), number(kOutsPerThread)), number(chance_.between(0, 7)));
  const MemRef ref = b_.element(b_.param(out_), slot);
  const ExprId old = b_.load(ref);
  b_.store(ref, add(op(BinaryOp::kMul, old, number(5)), value(2)));
}

void BlockProgramMaker::store_local_array() {
  const ExprId index = below(value(1), 5);
  b_.store(b_.element(local_array_, index), value(2));
}

void BlockProgramMaker::assign_local() {
  const LocalId local = chance_.pick(values_);
  const DType dtype = b_.program().locals[local].type.dtype;
  const ExprId assigned = value_of(dtype);
  if (is_float(dtype) && chance_.once_in(2)) {
    const ExprId half = b_.binary(BinaryOp::kMul, b_.local(local), b_.constant(dtype, 0.5));
    return void(b_.assign(local, b_.binary(BinaryOp::kAdd, half, assigned)));
  }
  b_.assign(local, assigned);
}

void BlockProgramMaker::after_barrier(bool of_grid) {
  for (size_t i = 0; i < arrays_.size(); ++i) {
    if (of_grid || !arrays_[i].of_grid) states_[i] = {};
  }
}

/// Until the next barrier nobody knows how the arrays have been used.
void BlockProgramMaker::block_all() {
  for (ArrayState& state : states_) state = {Kind::kBlocked};
}

ArrayState BlockProgramMaker::merge(const ArrayState& a, const ArrayState& b) {
  if (a == b || b.kind == Kind::kClean) return a;
  return a.kind == Kind::kClean ? b : ArrayState{Kind::kBlocked};
}

}  // namespace jitc::blocks
