#include "runtime/emulator/check/block_clocks.hpp"

#include <catch2/catch.hpp>

using namespace jitc::emulator;

namespace {

constexpr uint32_t kAll = ~uint32_t{0};

/// Whether `thread` knows all that `of` did up to now.
bool knows(const BlockClocks& clocks, uint32_t thread, uint32_t of) {
  return clocks.known(thread).of(0, of) >= clocks.time(of) - 1 && clocks.known(thread).of(0, of) != 0;
}

}  // namespace

TEST_CASE("a barrier tells those that wait of all that arrived") {
  BlockClocks clocks(0, 64);
  clocks.arrive({3, 0, kAll, 0, 64, true});
  clocks.arrive({3, 1, kAll, 0, 64, false});
  clocks.release({3, {{0, kAll}}, 0, 64});
  CHECK(knows(clocks, 0, 63));
  CHECK(knows(clocks, 31, 1));
  CHECK_FALSE(knows(clocks, 32, 0));
}

TEST_CASE("lanes that meet know of each other, and of no other lane") {
  BlockClocks clocks(0, 32);
  clocks.meet(0, 0xff);
  CHECK(knows(clocks, 0, 7));
  CHECK_FALSE(knows(clocks, 8, 0));
  CHECK(clocks.known(0).of(0, 8) == 0);
}

TEST_CASE("who has ended has arrived at every barrier") {
  BlockClocks clocks(0, 32);
  clocks.end(0, 1);
  clocks.arrive({0, 0, kAll - 1, 0, 0, true});
  clocks.release({0, {{0, kAll - 1}}, 0, 31});
  CHECK(knows(clocks, 5, 0));
}

TEST_CASE("fences around strong accesses order, as a release and an acquire do") {
  struct Row {
    bool has_first_fence, has_second_fence;
    Ordering write, read;
    bool orders;
  };
  constexpr Row kRows[] = {{true, true, Ordering::relaxed, Ordering::relaxed, true},
                           {false, true, Ordering::relaxed, Ordering::relaxed, false},
                           {true, false, Ordering::relaxed, Ordering::relaxed, false},
                           {false, false, Ordering::release, Ordering::acquire, true},
                           {false, false, Ordering::acquire_release, Ordering::acquire_release, true},
                           {true, false, Ordering::relaxed, Ordering::acquire, true},
                           {false, true, Ordering::release, Ordering::relaxed, true},
                           {false, false, Ordering::acquire, Ordering::release, false}};
  for (const Row& row : kRows) {
    BlockClocks clocks(0, 32);
    SyncPlaces places;
    if (row.has_first_fence) clocks.fence(0);
    clocks.write(0, row.write, false, places, 64);
    clocks.read(1, row.read, places, 64);
    if (row.has_second_fence) clocks.fence(1);
    CHECK((clocks.known(1).of(0, 0) != 0) == row.orders);
  }
}

TEST_CASE("an update keeps what was released before it, a store does not") {
  for (const bool is_update : {true, false}) {
    BlockClocks clocks(0, 32);
    SyncPlaces places;
    clocks.write(0, Ordering::release, false, places, 8);
    clocks.write(1, Ordering::relaxed, is_update, places, 8);
    clocks.read(2, Ordering::acquire, places, 8);
    CHECK((clocks.known(2).of(0, 0) != 0) == is_update);
  }
}

TEST_CASE("what a thread does behind a release is not handed on") {
  BlockClocks clocks(0, 32);
  SyncPlaces places;
  clocks.write(0, Ordering::release, false, places, 8);
  const uint32_t later = clocks.time(0);
  clocks.read(1, Ordering::acquire, places, 8);
  CHECK(clocks.known(1).of(0, 0) < later);
}
