// Values made once per key, from many threads.
#include "src/engine/once_map.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

using jitc::engine::OnceMap;

TEST_CASE("sixteen threads that want one key make it once and get the same value") {
  OnceMap<int, int> map;
  std::atomic<int> made{0};
  std::vector<const int*> seen(16);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < seen.size(); ++i) {
    threads.emplace_back([&, i] { seen[i] = &map.get(7, [&] { return 100 + made++; }); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(made == 1);
  for (const int* value : seen) CHECK(value == seen[0]);
  CHECK(*seen[0] == 100);
}

TEST_CASE("a key in the making does not hold up another") {
  OnceMap<int, int> map;
  std::promise<void> other_is_made;
  std::thread slow([&] {
    map.get(1, [&] {
      other_is_made.get_future().wait();  // would never end if key 2 had to wait for key 1
      return 1;
    });
  });
  CHECK(map.get(2, [] { return 2; }) == 2);
  other_is_made.set_value();
  slow.join();
}

TEST_CASE("a failed attempt leaves the key for the next caller") {
  OnceMap<int, int> map;
  CHECK_THROWS_AS(map.get(1, []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  CHECK(map.get(1, [] { return 5; }) == 5);
  CHECK(map.get(1, []() -> int { throw std::runtime_error("not called"); }) == 5);
}

TEST_CASE("values stay where they are while the map grows") {
  OnceMap<int, int> map;
  const int* first = &map.get(0, [] { return 0; });
  for (int i = 1; i < 1000; ++i) map.get(i, [&] { return i; });
  CHECK(first == &map.get(0, [] { return -1; }));
}
