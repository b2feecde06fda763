#include "tests/unit/reference/out_program.hpp"

namespace jitc::reference {
namespace {

using namespace jitc::kernel;

TEST_CASE("Every thread of the grid runs with its own indices") {
  OutProgram p;
  const ExprId x = p.b.thread(ThreadValue::kGlobalIdx, 0);
  const ExprId y = p.b.thread(ThreadValue::kGlobalIdx, 1);
  const ExprId width = p.b.thread(ThreadValue::kGlobalDim, 0);
  const ExprId position = p.b.binary(BinaryOp::kAdd, p.b.binary(BinaryOp::kMul, y, width), x);
  p.write(position, p.b.binary(BinaryOp::kAdd, position, p.value_of(100)));
  p.run({2, 1, 1}, {2, 2, 1});
  CHECK(p.memory == std::vector<int64_t>{100, 101, 102, 103, 104, 105, 106, 107});
}

TEST_CASE("Lanes count threads x fastest") {
  OutProgram p;
  p.write(p.b.thread(ThreadValue::kThreadIdx, 1), p.b.thread(ThreadValue::kLaneId));
  p.run({1, 1, 1}, {5, 8, 1});
  CHECK(p.memory == std::vector<int64_t>{4, 9, 14, 19, 24, 29, 2, 7});
}

TEST_CASE("Loops test before the body and step after it, also after continue") {
  OutProgram p;
  const LocalId i = p.b.add_local("i", scalar(DType::i8));
  const LocalId sum = p.b.add_local("sum", scalar(DType::i8));
  const LabelId loop = p.b.add_label("loop");
  const auto add = [&](LocalId to, ExprId value) { p.b.assign(to, p.b.binary(BinaryOp::kAdd, p.b.local(to), value)); };
  p.b.loop(
      loop, [&] { return p.b.compare(CompareOp::kLt, p.b.local(i), p.value_of(10)); },
      [&] {
        p.b.if_then(p.b.compare(CompareOp::kEq, p.b.local(i), p.value_of(3)), [&] { p.b.continue_loop(loop); });
        p.b.if_then(p.b.compare(CompareOp::kEq, p.b.local(i), p.value_of(6)), [&] { p.b.exit(loop); });
        add(sum, p.b.local(i));
      },
      [&] { add(i, p.value_of(1)); });
  p.write(0, p.b.local(sum));
  p.write(1, p.b.local(i));
  p.run();
  CHECK(p.memory[0] == 0 + 1 + 2 + 4 + 5);
  CHECK(p.memory[1] == 6);
}

TEST_CASE("The head of a loop runs before each test") {
  OutProgram p;
  const LocalId i = p.b.add_local("i", scalar(DType::i8));
  p.b.loop(
      p.b.add_label("loop"),
      [&] {
        p.b.assign(i, p.b.binary(BinaryOp::kAdd, p.b.local(i), p.value_of(1)));
        return p.b.compare(CompareOp::kLt, p.b.local(i), p.value_of(4));
      },
      kNothing, kNothing);
  p.write(0, p.b.local(i));
  p.run();
  CHECK(p.memory[0] == 4);
}

TEST_CASE("Exit leaves the scope of its label and nothing more") {
  OutProgram p;
  const LabelId outer = p.b.add_label("outer"), inner = p.b.add_label("inner");
  p.b.scope(outer, [&] {
    p.b.scope(inner, [&] {
      p.b.exit(inner);
      p.write(0, p.value_of(1));
    });
    p.write(1, p.value_of(1));
    p.b.scope(p.b.add_label("third"), [&] { p.b.exit(outer); });
    p.write(2, p.value_of(1));
  });
  p.write(3, p.value_of(1));
  p.run();
  CHECK(p.memory == std::vector<int64_t>{0, 1, 0, 1, 0, 0, 0, 0});
}

TEST_CASE("Return ends one thread") {
  OutProgram p;
  const ExprId x = p.b.thread(ThreadValue::kThreadIdx);
  p.b.if_then(p.b.compare(CompareOp::kEq, x, p.value_of(1)), [&] { p.b.return_thread(); });
  p.write(x, p.value_of(1));
  p.run({1, 1, 1}, {3, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{1, 0, 1, 0, 0, 0, 0, 0});
}

TEST_CASE("A load sees the stores of earlier statements") {
  OutProgram p;
  p.write(0, p.value_of(5));
  const ExprId first = p.read(0);
  p.write(0, p.b.binary(BinaryOp::kAdd, first, first));
  p.write(1, first);
  p.run();
  CHECK(p.memory[0] == 10);
  CHECK(p.memory[1] == 10);
}

TEST_CASE("Locals start at zero in every thread") {
  OutProgram p;
  const LocalId n = p.b.add_local("n", scalar(DType::i8));
  p.b.assign(n, p.b.binary(BinaryOp::kAdd, p.b.local(n), p.value_of(1)));
  p.write(p.b.thread(ThreadValue::kThreadIdx), p.b.local(n));
  p.run({1, 1, 1}, {2, 1, 1});
  CHECK(p.memory[1] == 1);
}

TEST_CASE("An address moves the base of later accesses") {
  OutProgram p;
  const ExprId shifted = p.b.address(p.b.element(p.b.param(0), p.value_of(2)));
  p.b.store(p.b.element(shifted, p.value_of(-1)), p.value_of(9));
  p.run();
  CHECK(p.memory[1] == 9);
}

TEST_CASE("The first failure is recorded with its thread and values, and ends only that thread") {
  OutProgram p;
  const uint32_t site = p.b.add_fail_site({FailKind::index, "x", 3, 1, 0});
  const ExprId x = p.b.thread(ThreadValue::kGlobalIdx);
  p.b.if_then(p.b.compare(CompareOp::kEq, x, p.value_of(2)), [&] { p.b.fail(site, {p.value_of(7), p.value_of(-1)}); });
  p.write(x, p.value_of(1));
  const std::optional<FailRecord> failure = p.run({2, 1, 1}, {2, 1, 1});
  REQUIRE(failure);
  CHECK(failure->site == site);
  CHECK(failure->values[0] == 7);
  CHECK(failure->values[1] == -1);
  CHECK(failure->block[0] == 1);
  CHECK(failure->thread[0] == 0);
  CHECK(p.memory == std::vector<int64_t>{1, 1, 0, 1, 0, 0, 0, 0});
}

TEST_CASE("Accesses outside the arrays, misaligned ones and endless loops are found") {
  OutProgram p;
  SECTION("one element past the end") {
    p.write(8, p.value_of(1));
    CHECK_THROWS_WITH(p.run(), "access outside the arrays of the launch");
  }
  SECTION("one element before the begin") {
    p.write(0, p.read(-1));
    CHECK_THROWS_WITH(p.run(), "access outside the arrays of the launch");
  }
  SECTION("half an element further") {
    p.b.store({p.b.param(0), {{p.value_of(1), p.value_of(4)}}}, p.value_of(1));
    CHECK_THROWS_WITH(p.run(), "misaligned access");
  }
  SECTION("a loop that never ends") {
    p.b.loop(
        p.b.add_label("l"), [&] { return p.b.constant(DType::b1, true); }, kNothing, kNothing);
    CHECK_THROWS_WITH(p.run(), "the kernel runs for too many steps");
  }
}

}  // namespace
}  // namespace jitc::reference
