#include "runtime/emulator/check/vector_clock.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace jitc::emulator;

namespace {

VectorClock clock_of(uint32_t block, std::initializer_list<ThreadTime> times) {
  VectorClock clock;
  clock.raise(block, 4, std::vector<ThreadTime>(times));
  return clock;
}

}  // namespace

TEST_CASE("a clock knows nothing at first") {
  CHECK(VectorClock().is_empty());
  CHECK(VectorClock().of(3, 1) == 0);
}

TEST_CASE("joined clocks have the later time of each thread, of every block") {
  VectorClock a = clock_of(2, {{0, 5}, {1, 1}});
  a.join(clock_of(2, {{1, 4}, {3, 2}}));
  a.join(clock_of(7, {{2, 9}}));
  a.join(clock_of(1, {{0, 8}}));
  CHECK(a.of(2, 0) == 5);
  CHECK(a.of(2, 1) == 4);
  CHECK(a.of(2, 3) == 2);
  CHECK(a.of(7, 2) == 9);
  CHECK(a.of(1, 0) == 8);
  CHECK(a.of(1, 3) == 0);
}

TEST_CASE("clocks that know the same share it") {
  const VectorClock early = clock_of(0, {{0, 1}});
  VectorClock late = clock_of(0, {{0, 2}, {1, 1}});
  const VectorClock before = late;
  late.join(early);
  CHECK(late.is_same_as(before));
  VectorClock learner = early;
  learner.join(late);
  CHECK(learner.is_same_as(late));
}

TEST_CASE("raising a clock leaves its copies as they were") {
  VectorClock clock = clock_of(0, {{0, 1}});
  const VectorClock copy = clock;
  clock.raise(0, 4, std::array{ThreadTime{0, 7}});
  CHECK(clock.of(0, 0) == 7);
  CHECK(copy.of(0, 0) == 1);
}
