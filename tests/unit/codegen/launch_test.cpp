// Thread indices, the loops over blocks and threads on the CPU, and the thread guard.
#include <catch2/catch.hpp>

#include <limits>
#include <numeric>

#include "src/codegen/thread_guard.hpp"
#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;

/// Each thread writes one thread value at its place in the whole grid, x fastest within blocks and among them.
KernelProgram write_value(ThreadValue value, uint8_t axis) {
  Builder k("kernel");
  const uint32_t out = k.data_param(k.array_argument("out", DType::i8, 1));
  const auto t = [&](ThreadValue v, int a) { return k.thread(v, static_cast<uint8_t>(a)); };
  const auto linear = [&](ThreadValue idx, ThreadValue dim) {
    ExprId place = t(idx, 2);
    for (int a = 1; a >= 0; --a) {
      place = k.binary(BinaryOp::kAdd, k.binary(BinaryOp::kMul, place, t(dim, a)), t(idx, a));
    }
    return place;
  };
  ExprId block_size = k.binary(BinaryOp::kMul, t(ThreadValue::kBlockDim, 0), t(ThreadValue::kBlockDim, 1));
  block_size = k.binary(BinaryOp::kMul, block_size, t(ThreadValue::kBlockDim, 2));
  const ExprId first = k.binary(BinaryOp::kMul, linear(ThreadValue::kBlockIdx, ThreadValue::kGridDim), block_size);
  const ExprId place = k.binary(BinaryOp::kAdd, first, linear(ThreadValue::kThreadIdx, ThreadValue::kBlockDim));
  k.store(k.element(k.param(out), place), k.thread(value, axis));
  return k.take();
}

struct Thread {
  int64_t thread[3], block[3];
};

template <class Visit>
void for_each_thread(const CpuLaunch& launch, const Visit& visit) {
  Thread t{};
  for (t.block[2] = 0; t.block[2] < launch.grid[2]; ++t.block[2])
    for (t.block[1] = 0; t.block[1] < launch.grid[1]; ++t.block[1])
      for (t.block[0] = 0; t.block[0] < launch.grid[0]; ++t.block[0])
        for (t.thread[2] = 0; t.thread[2] < launch.block[2]; ++t.thread[2])
          for (t.thread[1] = 0; t.thread[1] < launch.block[1]; ++t.thread[1])
            for (t.thread[0] = 0; t.thread[0] < launch.block[0]; ++t.thread[0]) visit(t);
}

TEST_CASE("every thread of a grid of three dimensions sees its own indices") {
  const auto value = GENERATE(ThreadValue::kThreadIdx, ThreadValue::kBlockIdx, ThreadValue::kBlockDim,
                              ThreadValue::kGridDim, ThreadValue::kGlobalIdx, ThreadValue::kGlobalDim);
  const CpuLaunch launch{{3, 4, 2}, {5, 2, 3}};
  for (uint8_t axis = 0; axis < 3; ++axis) {
    std::vector<int64_t> expected;
    for_each_thread(launch, [&](const Thread& t) {
      const int64_t dim = launch.block[axis], grid = launch.grid[axis];
      switch (value) {
        case ThreadValue::kThreadIdx: return expected.push_back(t.thread[axis]);
        case ThreadValue::kBlockIdx: return expected.push_back(t.block[axis]);
        case ThreadValue::kBlockDim: return expected.push_back(dim);
        case ThreadValue::kGridDim: return expected.push_back(grid);
        case ThreadValue::kGlobalIdx: return expected.push_back(t.block[axis] * dim + t.thread[axis]);
        case ThreadValue::kGlobalDim: return expected.push_back(grid * dim);
        case ThreadValue::kLaneId:
        case ThreadValue::kWarpSize:
        case ThreadValue::kDynamicSharedBytes: return;
      }
    });
    std::vector<int64_t> out(expected.size(), -1);
    CpuProgram(write_value(value, axis)).run(launch, out.data());
    CHECK(out == expected);
  }
}

TEST_CASE("lanes are numbered along x, then y, then z, and a warp has 32") {
  const CpuLaunch launch{{1, 1, 1}, {5, 4, 3}};
  std::vector<int64_t> lanes(60), expected(60);
  for (size_t i = 0; i < 60; ++i) expected[i] = static_cast<int64_t>(i % 32);
  CpuProgram(write_value(ThreadValue::kLaneId, 0)).run(launch, lanes.data());
  CHECK(lanes == expected);
  CpuProgram(write_value(ThreadValue::kWarpSize, 0)).run(launch, lanes.data());
  CHECK(lanes == std::vector<int64_t>(60, 32));
}

TEST_CASE("a call runs the blocks of its range and no other") {
  const CpuLaunch launch{{3, 4, 2}, {2, 1, 1}};
  const CpuProgram program(write_value(ThreadValue::kBlockIdx, 1));
  std::vector<int64_t> whole(48, -1), parts(48, -1);
  program.run(launch, whole.data());
  int64_t* out = parts.data();
  const auto params = program.pack(out);
  program.entry()(params.data(), &launch, 5, 11, nullptr);
  for (size_t i = 0; i < 48; ++i) CHECK((parts[i] == -1) == (i < 10 || i >= 22));
  program.entry()(params.data(), &launch, 7, 7, nullptr);
  program.entry()(params.data(), &launch, 0, 5, nullptr);
  program.entry()(params.data(), &launch, 11, 24, nullptr);
  CHECK(parts == whole);
}

TEST_CASE("block numbers use all 64 bits") {
  const CpuLaunch launch{{2147483647, 65535, 65535}, {1, 1, 1}};
  Builder k("kernel");
  const uint32_t out = k.data_param(k.array_argument("out", DType::i8, 1));
  for (uint8_t axis = 0; axis < 3; ++axis) {
    k.store(k.element(k.param(out), k.constant(DType::i8, axis)), k.thread(ThreadValue::kBlockIdx, axis));
  }
  const CpuProgram program(k.take());
  std::vector<int64_t> seen(3);
  int64_t* seen_data = seen.data();
  const auto params = program.pack(seen_data);
  const uint64_t blocks = uint64_t{2147483647} * 65535 * 65535;
  program.entry()(params.data(), &launch, blocks - 1, blocks, nullptr);
  CHECK(seen == std::vector<int64_t>{2147483646, 65534, 65534});
}

/// counts[x of the thread in the grid] += 1 where `guard` lets it through.
template <class Guard>
KernelProgram guarded(const Guard& guard) {
  Builder k("kernel");
  const uint32_t out = k.data_param(k.array_argument("counts", DType::i8, 1));
  const uint32_t bound = k.scalar_param("bound", DType::i8);
  guard(k, k.param(bound), [&] {
    const MemRef place = k.element(k.param(out), k.thread(ThreadValue::kGlobalIdx));
    k.store(place, k.binary(BinaryOp::kAdd, k.load(place), k.constant(DType::i8, 1)));
  });
  return k.take();
}

constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
const std::vector<int64_t> kBounds = {kMin, kMin + 1, -3, -1, 0, 1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, kMax - 1, kMax};

bool holds(CompareOp op, int64_t a, int64_t b) {
  switch (op) {
    case CompareOp::kEq: return a == b;
    case CompareOp::kNe: return a != b;
    case CompareOp::kLt: return a < b;
    case CompareOp::kLe: return a <= b;
    case CompareOp::kGt: return a > b;
    case CompareOp::kGe: return a >= b;
  }
  return false;
}

template <class Expected>
void check_guard(const KernelProgram& program, const Expected& expected) {
  const CpuProgram compiled(program);
  const CpuLaunch launch{{3, 1, 1}, {8, 2, 1}};  // each x twice
  for (const int64_t bound : kBounds) {
    std::vector<int64_t> counts(24, 0), wanted;
    for (int64_t x = 0; x < 24; ++x) wanted.push_back(expected(x, bound) ? 2 : 0);
    compiled.run(launch, counts.data(), bound);
    INFO("bound " << bound);
    CHECK(counts == wanted);
  }
}

TEST_CASE("a guard around the body lets the same threads through in every form") {
  const auto op =
      GENERATE(CompareOp::kEq, CompareOp::kNe, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt, CompareOp::kGe);
  const bool index_left = GENERATE(true, false), returns = GENERATE(true, false);
  const auto program = guarded([&](Builder& k, ExprId bound, const auto& body) {
    const LocalId i = k.add_local("i", scalar(DType::i8)), n = k.add_local("n", scalar(DType::i8));
    k.assign(i, k.thread(ThreadValue::kGlobalIdx));
    k.assign(n, bound);
    const ExprId cond = k.compare(op, k.local(index_left ? i : n), k.local(index_left ? n : i));
    if (returns) {
      k.if_then(cond, [&] { k.return_thread(); });
      body();
    } else {
      k.if_then(cond, body);
      k.return_thread();
    }
  });
  check_guard(program, [&](int64_t x, int64_t bound) {
    return (index_left ? holds(op, x, bound) : holds(op, bound, x)) != returns;
  });
}

TEST_CASE("a guard of several parts keeps what it cannot move") {
  const auto program = guarded([&](Builder& k, ExprId bound, const auto& body) {
    const ExprId x = k.thread(ThreadValue::kGlobalIdx), tx = k.thread(ThreadValue::kThreadIdx);
    const auto constant = [&](int64_t value) { return k.constant(DType::i8, value); };
    const ExprId below = k.compare(CompareOp::kLt, x, bound);
    const ExprId inner = k.compare(CompareOp::kGe, tx, constant(1));
    const ExprId odd = k.compare(CompareOp::kEq, k.binary(BinaryOp::kAnd, x, constant(1)), constant(1));
    const ExprId row = k.compare(CompareOp::kGt, k.thread(ThreadValue::kBlockDim, 1), constant(1));
    k.if_then(k.binary(BinaryOp::kAnd, below, k.select(inner, row, k.constant(DType::b1, false))),
              [&] { k.if_then(odd, body); });
  });
  check_guard(program, [](int64_t x, int64_t bound) { return x < bound && x % 8 >= 1 && x % 2 == 1; });
}

TEST_CASE("an early return on a disjunction guards the rest") {
  const auto program = guarded([&](Builder& k, ExprId bound, const auto& body) {
    const ExprId x = k.thread(ThreadValue::kGlobalIdx);
    const ExprId outside = k.binary(BinaryOp::kOr, k.compare(CompareOp::kGe, x, bound),
                                    k.unary(UnaryOp::kNot, k.compare(CompareOp::kGt, x, k.constant(DType::i8, 2))));
    k.if_then(outside, [&] { k.return_thread(); });
    body();
  });
  check_guard(program, [](int64_t x, int64_t bound) { return x < bound && x > 2; });
}

TEST_CASE("a condition that changes before its test is no guard") {
  Builder k("kernel");
  const uint32_t out = k.data_param(k.array_argument("counts", DType::i8, 1));
  const uint32_t bound = k.scalar_param("bound", DType::i8);
  const LocalId i = k.add_local("i", scalar(DType::i8));
  k.assign(i, k.thread(ThreadValue::kGlobalIdx));
  k.assign(i, k.binary(BinaryOp::kMul, k.local(i), k.constant(DType::i8, 2)));
  const MemRef place = k.element(k.param(out), k.thread(ThreadValue::kGlobalIdx));
  k.if_then(k.compare(CompareOp::kLt, k.local(i), k.param(bound)),
            [&] { k.store(place, k.binary(BinaryOp::kAdd, k.load(place), k.constant(DType::i8, 1))); });
  check_guard(k.take(), [](int64_t x, int64_t limit) { return 2 * x < limit; });
}

TEST_CASE("a guard with statements after it is none") {
  const KernelProgram program = guarded([](Builder& k, ExprId bound, const auto& body) {
    k.if_then(k.compare(CompareOp::kLt, k.thread(ThreadValue::kGlobalIdx), bound), body);
    body();
  });
  const codegen::ThreadGuard guard = codegen::find_thread_guard(program);
  CHECK(guard.bounds.empty());
  CHECK(guard.ifs.empty());
}

TEST_CASE("the guard of a two-dimensional kernel is a bound along x and a condition on the row") {
  const codegen::ThreadGuard guard = codegen::find_thread_guard(pairwise());
  CHECK(guard.bounds.size() == 1);
  CHECK(guard.row_conditions.size() == 1);
  CHECK(guard.ifs.size() == 2);
}

}  // namespace
