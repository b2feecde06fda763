#include "tests/unit/block_programs/block_program_maker.hpp"

#include <numeric>

namespace jitc::blocks {

using namespace kernel;

namespace {

constexpr int64_t kLocalElems = 5, kConstElems = 8;
constexpr DType kValueTypes[] = {DType::i8, DType::i8, DType::i8, DType::i4,
                                 DType::u1, DType::f4, DType::f8, DType::b1};

MemoryObject object(std::string name, MemorySpace space, DType dtype, int64_t count_elems) {
  return {.name = std::move(name),
          .space = space,
          .dtype = dtype,
          .count_elems = static_cast<uint64_t>(count_elems),
          .align_bytes = static_cast<uint32_t>(size_bytes(dtype))};
}

}  // namespace

BlockProgramMaker::BlockProgramMaker(uint64_t seed, Defined defined)
    : b_("k" + std::to_string(seed)), chance_(seed), defined_(defined) {
  made_.seed = seed;
}

BlockProgram BlockProgramMaker::make() {
  choose_launch();
  declare();
  start_threads();
  budget_ = static_cast<int>(chance_.between(20, 70));
  while (budget_ > 0) stmt();
  end_threads();
  made_.program = b_.take();
  return std::move(made_);
}

void BlockProgramMaker::choose_launch() {
  using Extent = std::array<uint32_t, 3>;
  made_.block = chance_.pick<Extent>({{1, 1, 1},
                                      {7, 1, 1},
                                      {31, 1, 1},
                                      {33, 1, 1},
                                      {40, 1, 1},
                                      {64, 1, 1},
                                      {70, 1, 1},
                                      {5, 4, 3},
                                      {8, 8, 1},
                                      {3, 3, 7},
                                      {1, 1, 9},
                                      {4, 16, 1}});
  made_.grid = chance_.pick<Extent>({{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {2, 2, 1}, {1, 1, 2}});
  for (size_t axis = 0; axis < 3; ++axis) {
    threads_ *= made_.block[axis];
    blocks_ *= made_.grid[axis];
  }
  made_.scalar = chance_.between(0, 4);
  uses_grid_ = chance_.once_in(4);
  is_checked_ = chance_.once_in(4);
  may_return_ = chance_.once_in(2);
  if (defined_ == Defined::everywhere && uses_grid_) may_return_ = false;
  can_lack_lanes_ = may_return_ || threads_ % 32 != 0;
  flow_ = uses_grid_ ? Flow::kGrid : Flow::kBlock;
}

void BlockProgramMaker::declare() {
  const auto array = [&](const char* name, DType dtype) { return b_.data_param(b_.array_argument(name, dtype, 1)); };
  out_ = array("out", DType::i8);
  in_ = array("in", DType::i4);
  const uint32_t exchange = array("exchange", DType::i8);
  wide_ = array("wide", DType::i8);
  narrow_ = array("narrow", DType::u4);
  scalar_ = b_.scalar_param("n", DType::i8);

  const auto shared = [&](DType dtype) {
    const std::string name = "s" + std::to_string(arrays_.size());
    const uint32_t memory = b_.add_memory(object(name, MemorySpace::kShared, dtype, threads_));
    arrays_.push_back({b_.memory_base(memory), dtype});
    return memory;
  };
  shared(DType::i8);
  for (int64_t more = chance_.between(0, 2); more > 0; --more) {
    shared(chance_.pick({DType::i4, DType::u4, DType::u8, DType::f4, DType::f8}));
  }
  if (chance_.once_in(3)) {
    const uint32_t dynamic = shared(chance_.pick({DType::i8, DType::i4}));
    b_.program().memory[dynamic].count_elems = 0;
    b_.program().memory[dynamic].dynamic = true;
    made_.dynamic_shared_bytes = static_cast<uint64_t>(threads_) * size_bytes(arrays_.back().dtype);
  }
  if (uses_grid_) arrays_.push_back({b_.param(exchange), DType::i8, true});
  states_.resize(arrays_.size());

  slot_ways_ = {{1, 0}};
  for (int64_t a : {3, 5, 11}) {
    if (std::gcd(a, threads_ * blocks_) == 1) slot_ways_.push_back({a, chance_.between(0, 9)});
  }
  slot_ways_.push_back({-1, threads_ * blocks_});

  local_array_ = b_.memory_base(b_.add_memory(object("mine", MemorySpace::kLocal, DType::i8, kLocalElems)));
  MemoryObject table = object("table", MemorySpace::kConst, DType::i4, kConstElems);
  for (int64_t i = 0; i < kConstElems * 4; ++i) table.init.push_back(static_cast<std::byte>(chance_.below(256)));
  const_array_ = b_.memory_base(b_.add_memory(table));
}

/// tid, global_tid = my numbers in the block and the grid, x fastest; every array gets its first values.
void BlockProgramMaker::start_threads() {
  tid_ = fresh("tid", DType::i8);
  global_tid_ = fresh("global_tid", DType::i8);
  const auto linear = [&](ThreadValue idx, ThreadValue dim) {
    const auto axis = [&](ThreadValue what, uint8_t which) { return b_.thread(what, which); };
    const ExprId rows = add(op(BinaryOp::kMul, axis(idx, 2), axis(dim, 1)), axis(idx, 1));
    return add(op(BinaryOp::kMul, rows, axis(dim, 0)), axis(idx, 0));
  };
  b_.assign(tid_, linear(ThreadValue::kThreadIdx, ThreadValue::kBlockDim));
  const ExprId block = linear(ThreadValue::kBlockIdx, ThreadValue::kGridDim);
  b_.assign(global_tid_, add(op(BinaryOp::kMul, block, number(threads_)), tid()));

  for (DType dtype : kValueTypes) values_.push_back(fresh("v", dtype));
  for (int i = 0; i < 2; ++i) uniform_.push_back(fresh("u", DType::i8));
  grid_uniform_ = fresh("g", DType::i8);
  b_.assign(values_[0], add(op(BinaryOp::kMul, tid(), number(chance_.between(1, 99))), number(1)));
  b_.assign(uniform_[0], add(block, number(chance_.between(0, 5))));
  for (size_t array = 0; array < arrays_.size(); ++array) {
    if (arrays_[array].of_grid) continue;
    const ExprId first = b_.convert(arrays_[array].dtype, add(tid(), number(chance_.between(-3, 3))));
    b_.store(element(array, tid()), first);
    states_[array] = {ArrayState::Kind::kOwn};
  }
  const LocalId i = fresh("i", DType::i8);
  count_loop(
      b_.add_label("fill"), i, number(kLocalElems), [] {},
      [&] { b_.store(b_.element(local_array_, b_.local(i)), op(BinaryOp::kMul, b_.local(i), tid())); });
}

/// out[…] = all that the thread knows.
void BlockProgramMaker::end_threads() {
  const ExprId first = op(BinaryOp::kMul, global_tid(), number(kOutsPerThread));
  const auto put = [&](int64_t place, ExprId added) {
    const MemRef ref = b_.element(b_.param(out_), add(first, number(place)));
    b_.store(ref, add(op(BinaryOp::kMul, b_.load(ref), number(3)), added));
  };
  for (size_t i = 0; i < values_.size(); ++i) {
    put(static_cast<int64_t>(i) % kOutsPerThread, b_.convert(DType::i8, b_.local(values_[i])));
  }
  put(0, b_.local(uniform_[0]));
  put(1, b_.local(uniform_[1]));
  put(2, b_.local(grid_uniform_));
  for (int64_t i = 0; i < kLocalElems; ++i) put(3 + i % 5, b_.load(b_.element(local_array_, number(i))));
  barrier();
  for (size_t array = 0; array < arrays_.size(); ++array) {
    if (arrays_[array].of_grid) continue;
    put(static_cast<int64_t>(array), b_.convert(DType::i8, b_.load(element(array, slot_of(0, tid(), false)))));
  }
}

void BlockProgramMaker::stmts(int count) {
  ++depth_;
  for (int i = 0; i < count; ++i) stmt();
  --depth_;
}

/// One statement of those that fit the flow.
void BlockProgramMaker::stmt() {
  using Make = void (BlockProgramMaker::*)();
  --budget_;
  using M = BlockProgramMaker;
  std::vector<Make> makes = {&M::assign_local, &M::assign_local,  &M::store_own,
                             &M::store_own,    &M::store_out,     &M::store_local_array,
                             &M::atomic_own,   &M::atomic_shared, &M::atomic_global};
  const auto also = [&](std::initializer_list<Make> more) { makes.insert(makes.end(), more); };
  constexpr int kMaxDepth = 4;
  const bool may_nest = depth_ < kMaxDepth && budget_ > 0;
  if (may_nest) also({&M::thread_if, &M::thread_if, &M::thread_loop, &M::thread_scope});
  if (mask_known_) also({&M::warp_op, &M::warp_op, &M::warp_op, &M::warp_op});
  if (mask_known_ && may_nest) also({&M::masked_loop});
  if (!open_.empty()) also({&M::leave, &M::leave});
  if (may_return_) also({&M::early_return});
  if (flow_ <= Flow::kWarp) also({&M::warp_exchange, &M::warp_exchange});
  if (may_nest && flow_ <= Flow::kWarp) also({&M::uniform_if, &M::uniform_scope});
  if (flow_ <= Flow::kBlock) {
    also({&M::barrier, &M::barrier, &M::barrier, &M::block_reduction, &M::assign_uniform, &M::assign_uniform});
    if (may_nest) also({&M::uniform_if, &M::uniform_if, &M::uniform_loop, &M::uniform_loop, &M::tree_reduction});
  }
  if (flow_ == Flow::kGrid) also({&M::grid_barrier, &M::grid_barrier, &M::grid_barrier});
  (this->*chance_.pick(makes))();
}

BlockProgram random_block_program(uint64_t seed, Defined defined) { return BlockProgramMaker(seed, defined).make(); }

BlockMemory initial_memory(const BlockProgram& program) {
  size_t threads = 1;
  for (size_t axis = 0; axis < 3; ++axis) threads *= size_t{program.block[axis]} * program.grid[axis];
  BlockMemory memory{.out = std::vector<int64_t>(threads * kOutsPerThread, -1),
                     .exchange = std::vector<int64_t>(threads, 5),
                     .wide = std::vector<int64_t>(kCounters, 1000),
                     .narrow = std::vector<uint32_t>(kCounters, 1000)};
  for (int32_t i = 0; i < kInputs; ++i) memory.in.push_back(i * i * 37 % 101 - 50);
  return memory;
}

}  // namespace jitc::blocks
