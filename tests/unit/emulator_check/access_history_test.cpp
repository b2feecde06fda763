#include "runtime/emulator/check/access_history.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace jitc::emulator;

namespace {

AccessRecord access(uint16_t thread, AccessKind kind, uint8_t bytes = 0xf, uint32_t time = 1) {
  return {0, time, 0, thread, kind, bytes};
}

bool races(AccessKind first, AccessKind second) {
  AccessHistory history;
  history.add(access(0, first), {});
  return history.find_race(access(1, second), {}) != nullptr;
}

VectorClock knowing(uint32_t thread, uint32_t time) {
  VectorClock clock;
  clock.raise(0, 64, std::array{ThreadTime{thread, time}});
  return clock;
}

}  // namespace

TEST_CASE("two accesses race when one is a write and one is weak") {
  constexpr std::array kKinds = {AccessKind::weak_read, AccessKind::strong_read, AccessKind::weak_write,
                                 AccessKind::strong_write};
  constexpr bool kRaces[4][4] = {
      {false, false, true, true}, {false, false, true, false}, {true, true, true, true}, {true, false, true, false}};
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) CHECK(races(kKinds[i], kKinds[j]) == kRaces[i][j]);
  }
}

TEST_CASE("neighbouring bytes of a word do not race") {
  AccessHistory history;
  history.add(access(0, AccessKind::weak_write, 0b0011), {});
  CHECK(history.find_race(access(1, AccessKind::weak_write, 0b1100), {}) == nullptr);
  CHECK(history.find_race(access(1, AccessKind::weak_write, 0b0110), {}) != nullptr);
}

TEST_CASE("what a thread knows of is no race, what came later is") {
  AccessHistory history;
  history.add(access(0, AccessKind::weak_write, 0xf, 5), {});
  CHECK(history.find_race(access(1, AccessKind::weak_read), knowing(0, 5)) == nullptr);
  CHECK(history.find_race(access(1, AccessKind::weak_read), knowing(0, 4)) != nullptr);
}

TEST_CASE("a thread does not race with itself") {
  AccessHistory history;
  history.add(access(3, AccessKind::weak_write), {});
  CHECK(history.find_race(access(3, AccessKind::weak_write), {}) == nullptr);
}

TEST_CASE("each access that races can be asked for") {
  AccessHistory history;
  for (uint16_t thread = 0; thread < 3; ++thread) history.add(access(thread, AccessKind::weak_read), {});
  size_t count = 0;
  const AccessRecord* old = nullptr;
  while ((old = history.find_race(access(9, AccessKind::weak_write), {}, old)) != nullptr) ++count;
  CHECK(count == 3);
}

TEST_CASE("more readers than a word can remember do not hide all of them") {
  AccessHistory history;
  for (uint16_t thread = 0; thread < 60; ++thread) history.add(access(thread, AccessKind::weak_read), {});
  CHECK(history.find_race(access(63, AccessKind::weak_write), {}) != nullptr);
}

TEST_CASE("a write that knows of all before it replaces them") {
  AccessHistory history;
  history.add(access(0, AccessKind::weak_read), {});
  history.add(access(1, AccessKind::weak_write), knowing(0, 1));
  // Who knows of the write knows of what it knew.
  CHECK(history.find_race(access(2, AccessKind::weak_write), knowing(1, 1)) == nullptr);
}

TEST_CASE("an atomic operation does not replace a plain access, with which others may race") {
  AccessHistory history;
  history.add(access(0, AccessKind::weak_write), {});
  history.add(access(1, AccessKind::strong_write), knowing(0, 1));
  CHECK(history.find_race(access(2, AccessKind::strong_write), {}) != nullptr);
}
