// Kernels whose threads meet, on the host: blocks that share memory, barriers in control flow, warps.
#include <catch2/catch.hpp>

#include <numeric>

#include "src/kernel/regions.hpp"
#include "tests/unit/codegen/cpu_program.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;

constexpr int64_t kThreads = 48;

/// The pieces that most of these kernels begin with.
struct BlockKernel {
  Builder k;
  uint32_t out, in, shared;
  LocalId i, t;

  explicit BlockKernel(const std::string& name, DType dtype = DType::i4) : k(name) {
    in = k.data_param(k.array_argument("x", dtype, 1));
    out = k.data_param(k.array_argument("out", dtype, 1));
    shared = k.add_memory({"tile", MemorySpace::kShared, dtype, kThreads, static_cast<uint32_t>(size_bytes(dtype))});
    i = k.add_local("i", scalar(DType::i8));
    t = k.add_local("t", scalar(DType::i8));
    k.assign(i, k.thread(ThreadValue::kGlobalIdx));
    k.assign(t, k.thread(ThreadValue::kThreadIdx));
  }

  ExprId number(int64_t v) { return k.constant(DType::i8, v); }
  ExprId local(LocalId id) { return k.local(id); }
  MemRef tile(ExprId index) { return k.element(k.memory_base(shared), index); }
  MemRef x(ExprId index) { return k.element(k.param(in), index); }
  MemRef y(ExprId index) { return k.element(k.param(out), index); }
};

std::vector<int32_t> ramp(size_t count) {
  std::vector<int32_t> out(count);
  std::iota(out.begin(), out.end(), 1);
  return out;
}

TEST_CASE("a block turns its elements around through shared memory") {
  BlockKernel f("reverse");
  f.k.store(f.tile(f.local(f.t)), f.k.load(f.x(f.local(f.i))));
  f.k.barrier();
  const ExprId mirrored = f.k.binary(BinaryOp::kSub, f.number(kThreads - 1), f.local(f.t));
  f.k.store(f.y(f.local(f.i)), f.k.load(f.tile(mirrored)));
  const CpuProgram program(f.k.take());
  const std::vector<int32_t> x = ramp(2 * kThreads);
  std::vector<int32_t> y(x.size());
  program.run({{2, 1, 1}, {kThreads, 1, 1}}, x.data(), y.data());
  for (size_t i = 0; i < y.size(); ++i) CHECK(y[i] == x[i / kThreads * kThreads + (kThreads - 1 - i % kThreads)]);
}

/// s = 32; while s > 0: if t < s and t + s < n: tile[t] += tile[t + s]; barrier; s //= 2
KernelProgram block_sum() {
  BlockKernel f("block_sum");
  Builder& k = f.k;
  k.store(f.tile(f.local(f.t)), k.load(f.x(f.local(f.i))));
  k.barrier();
  const LocalId s = k.add_local("s", scalar(DType::i8));
  k.assign(s, f.number(32));
  k.loop(
      k.add_label("while"), [&] { return k.compare(CompareOp::kGt, k.local(s), f.number(0)); },
      [&] {
        const ExprId other = k.binary(BinaryOp::kAdd, f.local(f.t), k.local(s));
        const ExprId takes = k.binary(BinaryOp::kAnd, k.compare(CompareOp::kLt, f.local(f.t), k.local(s)),
                                      k.compare(CompareOp::kLt, other, f.number(kThreads)));
        k.if_then(takes, [&] {
          k.store(f.tile(f.local(f.t)), k.binary(BinaryOp::kAdd, k.load(f.tile(f.local(f.t))), k.load(f.tile(other))));
        });
        k.barrier();
        k.assign(s, k.binary(BinaryOp::kFloorDiv, k.local(s), f.number(2)));
      },
      [] {});
  k.if_then(k.compare(CompareOp::kEq, f.local(f.t), f.number(0)),
            [&] { k.store(f.y(k.thread(ThreadValue::kBlockIdx)), k.load(f.tile(f.number(0)))); });
  return k.take();
}

TEST_CASE("a block sums with a barrier in a loop") {
  const CpuProgram program(block_sum());
  const std::vector<int32_t> x = ramp(3 * kThreads);
  std::vector<int32_t> y(3);
  program.run({{3, 1, 1}, {kThreads, 1, 1}}, x.data(), y.data());
  for (size_t block = 0; block < 3; ++block) {
    CHECK(y[block] == std::accumulate(x.begin() + static_cast<std::ptrdiff_t>(block * kThreads),
                                      x.begin() + static_cast<std::ptrdiff_t>((block + 1) * kThreads), 0));
  }
}

TEST_CASE("threads that returned do not hold up the others, and neither do waiting branches") {
  BlockKernel f("early");
  Builder& k = f.k;
  k.if_then(k.compare(CompareOp::kGe, f.local(f.t), f.number(40)), [&] { k.return_thread(); });
  k.store(f.tile(f.local(f.t)), k.load(f.x(f.local(f.i))));
  k.barrier();
  const LocalId sum = k.add_local("sum", scalar(DType::i4));
  k.assign(sum, k.constant(DType::i4, 0));
  k.if_then_else(
      k.compare(CompareOp::kLt, f.local(f.t), f.number(20)),
      [&] { k.assign(sum, k.load(f.tile(k.binary(BinaryOp::kAdd, f.local(f.t), f.number(20))))); },
      [&] { k.assign(sum, k.load(f.tile(k.binary(BinaryOp::kSub, f.local(f.t), f.number(20))))); });
  k.barrier();
  k.store(f.tile(f.local(f.t)), k.binary(BinaryOp::kMul, k.local(sum), k.constant(DType::i4, 2)));
  k.barrier();
  k.store(f.y(f.local(f.i)), k.load(f.tile(k.binary(BinaryOp::kSub, f.number(39), f.local(f.t)))));
  const CpuProgram program(k.take());
  const std::vector<int32_t> x = ramp(kThreads);
  std::vector<int32_t> y(kThreads, -1);
  program.run({{1, 1, 1}, {kThreads, 1, 1}}, x.data(), y.data());
  for (int t = 0; t < kThreads; ++t) {
    const int other = 39 - t;
    CHECK(y[static_cast<size_t>(t)] == (t >= 40 ? -1 : 2 * ((other + (other < 20 ? 20 : -20)) + 1)));
  }
}

TEST_CASE("a warp sums with shuffles, and a lane outside the block takes no part") {
  Builder k("warp_sum");
  const uint32_t in = k.data_param(k.array_argument("x", DType::f8, 1));
  const uint32_t out = k.data_param(k.array_argument("out", DType::f8, 1));
  const LocalId t = k.add_local("t", scalar(DType::i8)), v = k.add_local("v", scalar(DType::f8)),
                other = k.add_local("other", scalar(DType::f8)), step = k.add_local("step", scalar(DType::i4));
  k.assign(t, k.thread(ThreadValue::kThreadIdx));
  k.assign(v, k.load(k.element(k.param(in), k.local(t))));
  k.assign(step, k.constant(DType::i4, 16));
  k.loop(
      k.add_label("while"), [&] { return k.compare(CompareOp::kGt, k.local(step), k.constant(DType::i4, 0)); },
      [&] {
        k.warp(WarpOp::kShflXor, k.constant(DType::u4, 0xffffffff), k.local(v), k.local(step), other);
        k.assign(v, k.binary(BinaryOp::kAdd, k.local(v), k.local(other)));
        k.assign(step, k.binary(BinaryOp::kShr, k.local(step), k.constant(DType::i4, 1)));
      },
      [] {});
  k.store(k.element(k.param(out), k.local(t)), k.local(v));
  const CpuProgram program(k.take());
  std::vector<double> x(64), y(64);
  std::iota(x.begin(), x.end(), 1.0);
  program.run({{1, 1, 1}, {64, 1, 1}}, x.data(), y.data());
  for (size_t i = 0; i < 64; ++i) CHECK(y[i] == (i < 32 ? 528.0 : 1552.0));
}

TEST_CASE("the whole grid meets") {
  BlockKernel f("grid_shift");
  Builder& k = f.k;
  k.store(f.y(f.local(f.i)), k.load(f.x(f.local(f.i))));
  k.barrier(BarrierOp::kGrid);
  const LocalId value = k.add_local("value", scalar(DType::i4));
  const ExprId last = k.binary(BinaryOp::kSub, k.thread(ThreadValue::kGlobalDim), f.number(1));
  k.assign(value, k.load(f.y(k.binary(BinaryOp::kSub, last, f.local(f.i)))));
  k.barrier(BarrierOp::kGrid);
  k.store(f.y(f.local(f.i)), k.local(value));
  const CpuProgram program(k.take());
  const std::vector<int32_t> x = ramp(4 * kThreads);
  std::vector<int32_t> y(x.size());
  program.run({{4, 1, 1}, {kThreads, 1, 1}}, x.data(), y.data());
  for (size_t i = 0; i < y.size(); ++i) CHECK(y[i] == x[x.size() - 1 - i]);
}

TEST_CASE("a barrier may stand deep inside of loops") {
  BlockKernel f("deep");
  Builder& k = f.k;
  const LocalId sum = k.add_local("sum", scalar(DType::i4));
  k.assign(sum, k.constant(DType::i4, 0));
  const auto nest = [&](const auto& self, int depth) -> void {
    if (depth == 0) {
      k.barrier();
      k.assign(sum, k.binary(BinaryOp::kAdd, k.local(sum), k.load(f.x(f.local(f.i)))));
      return;
    }
    const LocalId counter = k.add_local("n" + std::to_string(depth), scalar(DType::i8));
    k.assign(counter, f.number(0));
    const ExprId trips = f.number(depth <= 2 ? 2 : 1);
    k.loop(
        k.add_label("for"), [&] { return k.compare(CompareOp::kLt, k.local(counter), trips); },
        [&] { self(self, depth - 1); },
        [&] { k.assign(counter, k.binary(BinaryOp::kAdd, k.local(counter), f.number(1))); });
  };
  nest(nest, 60);
  k.store(f.y(f.local(f.i)), k.local(sum));
  const CpuProgram program(k.take());
  const std::vector<int32_t> x = ramp(kThreads);
  std::vector<int32_t> y(kThreads);
  program.run({{1, 1, 1}, {kThreads, 1, 1}}, x.data(), y.data());
  for (size_t i = 0; i < kThreads; ++i) CHECK(y[i] == 4 * x[i]);
}

TEST_CASE("the plan stores once what is the same for the block, and keeps no index") {
  const KernelProgram program = block_sum();
  const RegionPlan plan = plan_regions(program);
  CHECK(plan.level == Group::kBlock);
  CHECK(!plan.masks);
  for (size_t i = 0; i < program.locals.size(); ++i) {
    const std::string& name = program.locals[LocalId(static_cast<uint32_t>(i))].name;
    INFO(name);
    CHECK(plan.stored_once[i] == (name == "s"));
    CHECK(!plan.per_thread[i]);
  }
}

}  // namespace
