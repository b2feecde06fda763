// Barriers of blocks and of the grid: what they order, what they count, and where threads miss each other.
#include <cmath>

#include "tests/unit/reference/out_program.hpp"

namespace jitc::reference {
namespace {

using namespace jitc::kernel;
using Catch::Matchers::Contains;

uint32_t add_shared(OutProgram& p, uint64_t count) {
  return p.b.add_memory({.name = "s", .dtype = DType::i8, .count_elems = count, .align_bytes = 8});
}
MemRef shared(OutProgram& p, ExprId index) { return p.b.element(p.b.memory_base(0), index); }

TEST_CASE("What is written before a barrier is read behind it") {
  OutProgram p;
  add_shared(p, 8);
  p.b.store(shared(p, p.thread()), p.add(p.thread(), p.value_of(10)));
  p.b.barrier();
  p.write(p.thread(), p.b.load(shared(p, p.b.binary(BinaryOp::kSub, p.value_of(7), p.thread()))));
  p.launch.backwards = GENERATE(false, true);
  p.run({1, 1, 1}, {8, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{17, 16, 15, 14, 13, 12, 11, 10});
}

/// for (i = 0; i < trips; ++i) body
template <class Body>
void count_to(OutProgram& p, int64_t trips, Body body) {
  const LocalId i = p.b.add_local("i", scalar(DType::i8));
  p.b.loop(
      p.b.add_label("loop"), [&] { return p.less(p.b.local(i), trips); }, [&] { body(p.b.local(i)); },
      [&] { p.b.assign(i, p.add(p.b.local(i), p.value_of(1))); });
}

TEST_CASE("Barriers in a loop keep locals, and sums travel round the block") {
  OutProgram p;
  add_shared(p, 8);
  const LocalId sum = p.b.add_local("sum", scalar(DType::i8));
  p.b.store(shared(p, p.thread()), p.thread());
  p.b.barrier();
  count_to(p, 3, [&](ExprId) {
    const ExprId next = p.b.binary(BinaryOp::kMod, p.add(p.thread(), p.value_of(1)), p.value_of(8));
    p.b.assign(sum, p.add(p.b.local(sum), p.b.load(shared(p, next))));
    p.b.barrier();
    p.b.store(shared(p, p.thread()), p.b.local(sum));
    p.b.barrier();
  });
  p.write(p.thread(), p.b.local(sum));
  p.run({1, 1, 1}, {8, 1, 1});

  std::vector<int64_t> sums(8), seen{0, 1, 2, 3, 4, 5, 6, 7};
  for (int i = 0; i < 3; ++i) {
    for (size_t t = 0; t < 8; ++t) sums[t] += seen[(t + 1) % 8];
    seen = sums;
  }
  CHECK(p.memory == sums);
}

TEST_CASE("Reductions count the threads that have not ended") {
  OutProgram p;
  const auto [op, thread, expected] = GENERATE(table<BarrierOp, int64_t, int64_t>({
      {BarrierOp::kBlockCount, 4, 3},
      {BarrierOp::kBlockAnd, 4, 0},
      {BarrierOp::kBlockAnd, 8, 1},
      {BarrierOp::kBlockOr, 4, 1},
      {BarrierOp::kBlockOr, 0, 0},
  }));
  const LocalId result = p.b.add_local("result", scalar(DType::i4));
  p.b.if_then(p.equals(p.thread(), 1), [&] { p.b.return_thread(); });
  p.b.barrier(op, p.less(p.thread(), thread), result);
  p.write(p.thread(), p.b.convert(DType::i8, p.b.local(result)));
  p.run({1, 1, 1}, {8, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{expected, 0, expected, expected, expected, expected, expected, expected});
}

TEST_CASE("The barrier of the grid orders blocks") {
  OutProgram p;
  p.write(p.b.thread(ThreadValue::kGlobalIdx), p.add(p.b.thread(ThreadValue::kBlockIdx), p.value_of(1)));
  p.b.barrier(BarrierOp::kGrid);
  p.b.if_then(p.equals(p.thread(), 0), [&] {
    const ExprId block = p.b.thread(ThreadValue::kBlockIdx);
    const ExprId other = p.b.binary(BinaryOp::kSub, p.value_of(2), block);
    p.write(p.add(p.value_of(5), block),
            p.b.load(p.at(p.b.binary(BinaryOp::kMul, other, p.b.thread(ThreadValue::kBlockDim)))));
  });
  p.launch.backwards = GENERATE(false, true);
  p.run({3, 1, 1}, {1, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{1, 2, 3, 0, 0, 3, 2, 1});
}

TEST_CASE("Shared memory lives across the barrier of the grid") {
  OutProgram p;
  add_shared(p, 1);
  p.b.store(shared(p, p.value_of(0)), p.b.thread(ThreadValue::kBlockIdx));
  p.b.barrier(BarrierOp::kGrid);
  p.write(p.b.thread(ThreadValue::kBlockIdx), p.b.load(shared(p, p.value_of(0))));
  p.run({8, 1, 1}, {1, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("Threads that wait at different barriers are found") {
  OutProgram p;
  p.b.at({10, 20});
  p.b.if_then_else(
      p.less(p.thread(), 2), [&] { p.b.barrier(); }, [&] { p.b.barrier(BarrierOp::kGrid); });
  CHECK_THROWS_WITH(p.run({1, 1, 1}, {4, 1, 1}),
                    "thread (0,0,0) waits at statement 0 (bytes 10 to 20), but thread "
                    "(2,0,0) waits at statement 1 (bytes 10 to 20)");
}

TEST_CASE("In a checked kernel the barrier of the first thread fails, at the first one that waits elsewhere") {
  OutProgram p;
  const uint32_t first = p.b.add_fail_site({FailKind::barrier, "", 3, 5});
  const uint32_t second = p.b.add_fail_site({FailKind::barrier, "", 5, 5});
  const ExprId block = p.b.thread(ThreadValue::kBlockIdx);
  const ExprId split = p.b.binary(BinaryOp::kMul, block, p.value_of(3));  // block 0: all threads; block 1: from 3 on
  p.b.if_then_else(
      p.b.compare(CompareOp::kGe, p.thread(), split), [&] { p.b.barrier(BarrierOp::kBlock, {}, {}, first); },
      [&] { p.b.barrier(BarrierOp::kBlock, {}, {}, second); });
  p.b.if_then(p.equals(p.thread(), 0), [&] { p.write(block, p.value_of(1)); });
  const auto failure = p.run({2, 1, 1}, {8, 1, 1});
  REQUIRE(failure);
  CHECK(failure->state == 2);
  CHECK(failure->site == second);
  CHECK(failure->thread[0] == 3);
  CHECK(failure->block[0] == 1);
  CHECK(p.memory == std::vector<int64_t>{1, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("Threads that have failed are not waited for") {
  OutProgram p;
  const uint32_t site = p.b.add_fail_site({FailKind::raise, "", 3, 5});
  p.b.if_then(p.equals(p.thread(), 2), [&] { p.b.fail(site); });
  p.b.barrier();
  p.write(p.thread(), p.value_of(1));
  const auto failure = p.run({1, 1, 1}, {4, 1, 1});
  REQUIRE(failure);
  CHECK(failure->thread[0] == 2);
  CHECK(p.memory == std::vector<int64_t>{1, 1, 0, 1, 0, 0, 0, 0});
}

TEST_CASE("Lines are printed in the order of the threads, up to each barrier") {
  OutProgram p;
  const uint32_t nan = 0xffc00001;
  const auto text = [](const char* part) { return PrintPart{part, {}}; };
  const auto of = [](ExprId value) { return PrintPart{{}, value}; };
  SECTION("values") {
    p.b.print({text("i="), of(p.value_of(-3)), text(" "), of(p.b.constant(DType::u8, UINT64_MAX))});
    p.b.print({of(p.b.constant(DType::f4, 0.1F)), text(" "), of(p.b.constant(DType::f8, 2.0))});
    p.b.print({of(p.b.constant_bits(DType::f4, nan)), text(" "), of(p.b.constant(DType::f8, -INFINITY))});
    p.b.print({of(p.b.constant(DType::b1, true)), of(p.b.constant(DType::b1, false)), text("%d")});
    p.b.print({});
    CHECK(p.result().printed == "i=-3 18446744073709551615\n0.100000 2.000000\nnan -inf\nTrueFalse%d\n\n");
  }
  SECTION("order") {
    p.b.print({text("a"), of(p.b.thread(ThreadValue::kBlockIdx)), of(p.thread())});
    p.b.barrier();
    p.b.print({text("b"), of(p.b.thread(ThreadValue::kBlockIdx)), of(p.thread())});
    CHECK(p.result({2, 1, 1}, {2, 1, 1}).printed == "a00\na01\nb00\nb01\na10\na11\nb10\nb11\n");
  }
}

}  // namespace
}  // namespace jitc::reference
