// Exchanges between the lanes of a warp: values, missing lanes, and lanes that took different branches.
#include <cmath>

#include "tests/support/shared_ops.hpp"
#include "tests/unit/reference/out_program.hpp"

namespace jitc::reference {
namespace {

using namespace jitc::kernel;
using Catch::Matchers::Contains;

constexpr uint32_t kAllLanes = UINT32_MAX;

/// Lane i brings i + 100 and asks for `lane`; only the lanes of `mask` are here.
WarpInput input_of(uint32_t mask, uint32_t lane) {
  WarpInput input;
  for (uint32_t i = 0; i < kWarpLanes; ++i) input[i] = {(mask >> i & 1) != 0, i + 100, lane};
  return input;
}
Bits shuffled(WarpOp op, uint32_t lane, uint32_t me, uint32_t mask = kAllLanes) {
  return warp_result(op, input_of(mask, lane), me) - 100;
}

TEST_CASE("Shuffles give the value of another lane") {
  CHECK(shuffled(WarpOp::kShflIdx, 5, 9) == 5);
  CHECK(shuffled(WarpOp::kShflIdx, 37, 9) == 5);
  CHECK(shuffled(WarpOp::kShflIdx, static_cast<uint32_t>(-1), 9) == 31);
  CHECK(shuffled(WarpOp::kShflUp, 2, 9) == 7);
  CHECK(shuffled(WarpOp::kShflUp, 34, 9) == 7);
  CHECK(shuffled(WarpOp::kShflDown, 2, 9) == 11);
  CHECK(shuffled(WarpOp::kShflXor, 3, 9) == 10);
}

TEST_CASE("Where there is no such lane a shuffle gives the own value") {
  CHECK(shuffled(WarpOp::kShflUp, 2, 1) == 1);
  CHECK(shuffled(WarpOp::kShflDown, 2, 30) == 30);
  CHECK(shuffled(WarpOp::kShflIdx, 4, 0, 0xF) == 0);
  CHECK(shuffled(WarpOp::kShflDown, 1, 3, 0xF) == 3);
  CHECK(shuffled(WarpOp::kShflXor, 4, 2, 0xF) == 2);
}

TEST_CASE("Votes and matches ask the lanes that are here") {
  WarpInput lanes = input_of(0b1101, 0);
  for (uint32_t i = 0; i < 4; ++i) lanes[i].value = i < 2 ? 1 : 0;  // 1 1 0 0; lane 1 is not here
  CHECK(warp_result(WarpOp::kAll, lanes, 0) == 0);
  CHECK(warp_result(WarpOp::kAny, lanes, 3) == 1);
  CHECK(warp_result(WarpOp::kUniform, lanes, 3) == 0);
  CHECK(warp_result(WarpOp::kBallot, lanes, 3) == 0b0001);
  CHECK(warp_result(WarpOp::kMatchAny, lanes, 0) == 0b0001);
  CHECK(warp_result(WarpOp::kMatchAny, lanes, 3) == 0b1100);
  CHECK(warp_result(WarpOp::kMatchAll, lanes, 3) == 0);
  CHECK(warp_result(WarpOp::kActive, lanes, 3) == 0b1101);
  lanes[0].value = 0;
  CHECK(warp_result(WarpOp::kAny, lanes, 0) == 0);
  CHECK(warp_result(WarpOp::kUniform, lanes, 0) == 1);
  CHECK(warp_result(WarpOp::kMatchAll, lanes, 0) == 0b1101);
}

/// A program with a local for results, and masks.
struct WarpProgram : OutProgram {
  explicit WarpProgram(size_t count_elems = 8) : OutProgram(count_elems) {}
  ExprId mask(uint32_t lanes) { return b.constant(DType::u4, lanes); }
  ExprId lane(int32_t number) { return b.constant(DType::i4, number); }
  LocalId bits = b.add_local("bits", scalar(DType::u4));
  LocalId value = b.add_local("value", scalar(DType::i8));
  void write_bits(ExprId index) { write(index, b.convert(DType::i8, b.local(bits))); }
};

TEST_CASE("A warp is 32 threads in the order of their numbers; the last one may be short") {
  WarpProgram p(40);
  p.b.warp(WarpOp::kShflDown, p.mask(kAllLanes), p.thread(), p.lane(1), p.value);
  p.write(p.thread(), p.b.local(p.value));
  p.launch.backwards = GENERATE(false, true);
  p.run({1, 1, 1}, {40, 1, 1});
  for (size_t i = 0; i < 40; ++i) CHECK(p.memory[i] == static_cast<int64_t>(i == 31 || i == 39 ? i : i + 1));
}

TEST_CASE("A sum over the warp by shuffles") {
  WarpProgram p(64);
  p.b.assign(p.value, p.thread());
  for (int32_t distance = 16; distance > 0; distance /= 2) {
    const LocalId other = p.b.add_local("other", scalar(DType::i8));
    p.b.warp(WarpOp::kShflXor, p.mask(kAllLanes), p.b.local(p.value), p.lane(distance), other);
    p.b.assign(p.value, p.add(p.b.local(p.value), p.b.local(other)));
  }
  p.write(p.thread(), p.b.local(p.value));
  p.run({1, 1, 1}, {64, 1, 1});
  for (size_t i = 0; i < 64; ++i) CHECK(p.memory[i] == (i < 32 ? 31 * 16 : 31 * 16 + 32 * 32));
}

TEST_CASE("Lanes that have ended are not waited for") {
  WarpProgram p;
  p.b.if_then(p.equals(p.thread(), 2), [&] { p.b.return_thread(); });
  p.b.warp(WarpOp::kBallot, p.mask(kAllLanes), p.b.constant(DType::b1, true), {}, p.bits);
  p.write_bits(p.thread());
  p.run({1, 1, 1}, {4, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{0b1011, 0b1011, 0, 0b1011, 0, 0, 0, 0});
}

TEST_CASE("Each branch exchanges among its own lanes") {
  WarpProgram p;
  const auto ballot_of = [&](uint32_t lanes) {
    p.b.warp(WarpOp::kBallot, p.mask(lanes), p.b.constant(DType::b1, true), {}, p.bits);
  };
  p.b.if_then_else(
      p.less(p.thread(), 3), [&] { ballot_of(0b00111); }, [&] { ballot_of(0b11000); });
  p.write_bits(p.thread());
  p.run({1, 1, 1}, {5, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{7, 7, 7, 24, 24, 0, 0, 0});
}

TEST_CASE("Groups of lanes with masks of their own meet at one statement") {
  WarpProgram p;
  const ExprId parity = p.b.binary(BinaryOp::kMod, p.thread(), p.value_of(2));
  p.b.warp(WarpOp::kMatchAny, p.mask(kAllLanes), parity, {}, p.bits);
  p.b.warp(WarpOp::kBallot, p.b.local(p.bits), p.less(p.thread(), 4), {}, p.bits);
  p.write_bits(p.thread());
  p.run({1, 1, 1}, {6, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{0b0101, 0b1010, 0b0101, 0b1010, 0b0101, 0b1010, 0, 0});
}

TEST_CASE("The active lanes are those that are together; behind the branches all are again") {
  WarpProgram p(16);
  p.b.if_then_else(
      p.less(p.thread(), 2), [&] { p.b.warp(WarpOp::kActive, {}, {}, {}, p.bits); },
      [&] {
        p.b.if_then(p.equals(p.thread(), 3), [&] { p.b.return_thread(); });
        p.b.warp(WarpOp::kActive, {}, {}, {}, p.bits);
      });
  p.write_bits(p.thread());
  p.b.warp(WarpOp::kActive, {}, {}, {}, p.bits);
  p.write_bits(p.add(p.thread(), p.value_of(8)));
  p.launch.backwards = GENERATE(false, true);
  p.run({1, 1, 1}, {6, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{3, 3, 0b110100, 0, 0b110100, 0b110100, 0, 0,  //
                                         0b110111, 0b110111, 0b110111, 0, 0b110111, 0b110111, 0, 0});
}

TEST_CASE("Barriers of the warp order what its lanes write") {
  WarpProgram p;
  p.write(p.thread(), p.add(p.thread(), p.value_of(1)));
  p.b.warp(WarpOp::kSync, p.mask(kAllLanes));
  p.b.assign(p.value, p.b.load(p.at(p.b.binary(BinaryOp::kXor, p.thread(), p.value_of(1)))));
  p.b.warp(WarpOp::kSync, p.mask(kAllLanes));
  p.write(p.thread(), p.b.local(p.value));
  p.launch.backwards = GENERATE(false, true);
  p.run({1, 1, 1}, {8, 1, 1});
  CHECK(p.memory == std::vector<int64_t>{2, 1, 4, 3, 6, 5, 8, 7});
}

TEST_CASE("Lanes that wait for each other at different places are found") {
  WarpProgram p;
  SECTION("two operations, each for all lanes") {
    p.b.if_then_else(
        p.less(p.thread(), 2), [&] { p.b.warp(WarpOp::kSync, p.mask(kAllLanes)); },
        [&] { p.b.warp(WarpOp::kSync, p.mask(kAllLanes)); });
    CHECK_THROWS_WITH(p.run({1, 1, 1}, {4, 1, 1}), Contains("thread (0,0,0) waits at statement 0") &&
                                                       Contains("but thread (2,0,0) waits at statement 1"));
  }
  SECTION("a barrier of the block") {
    p.b.if_then(p.less(p.thread(), 2), [&] { p.b.warp(WarpOp::kSync, p.mask(kAllLanes)); });
    p.b.barrier();
    CHECK_THROWS_WITH(p.run({1, 1, 1}, {4, 1, 1}), Contains("but thread (2,0,0) waits at statement 2"));
  }
  SECTION("a mask without the lane itself") {
    p.b.warp(WarpOp::kSync, p.mask(0b0111));
    CHECK_THROWS_WITH(p.run({1, 1, 1}, {4, 1, 1}), Contains("thread (3,0,0)") && Contains("not in the mask"));
  }
}

}  // namespace
}  // namespace jitc::reference
