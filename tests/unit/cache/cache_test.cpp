#include "src/cache/cache.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/unit/cache/cache_folder.hpp"

namespace jitc::cache {
namespace {

const auto kNever = []() -> std::string { throw std::logic_error("made twice"); };

TEST_CASE("a value is made once, then found in memory, then on disk") {
  const TemporaryFolder temporary;
  Source source;
  Cache cache(temporary.settings(), "b");
  CHECK(*cache.get(
            "k", "t", [] { return std::string("v"); }, &source) == "v");
  CHECK(source == Source::made);
  CHECK(*cache.get("k", "t", kNever, &source) == "v");
  CHECK(source == Source::memory);
  Cache later(temporary.settings(), "b");
  CHECK(*later.get("k", "t", kNever, &source) == "v");
  CHECK(source == Source::disk);
  CHECK(cache.counts().made == 1);
  CHECK(cache.counts().memory_hits == 1);
  CHECK(later.counts().disk_hits == 1);
  CHECK(std::filesystem::is_empty(temporary.file("cache/locks")));
}

TEST_CASE("without a disk values are kept in memory") {
  Cache cache(Settings{}, "b");
  CHECK(*cache.get("k", "t", [] { return std::string("v"); }) == "v");
  CHECK(*cache.get("k", "t", kNever) == "v");
  CHECK(cache.counts().not_stored == 0);
}

TEST_CASE("what fails is tried again") {
  const TemporaryFolder temporary;
  Cache cache(temporary.settings(), "b");
  CHECK_THROWS_WITH(cache.get("k", "t", []() -> std::string { throw std::runtime_error("no"); }), "no");
  CHECK(std::filesystem::is_empty(temporary.file("cache/locks")));
  CHECK(*cache.get("k", "t", [] { return std::string("v"); }) == "v");
}

TEST_CASE("threads that want one value make it once") {
  Cache cache(Settings{}, "b");
  std::array<std::atomic<int>, 8> made{};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        const int k = (i + t) % 8;
        cache.get(std::to_string(k), "t", [&] {
          ++made[static_cast<size_t>(k)];
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return std::to_string(k);
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& count : made) CHECK(count == 1);
}

TEST_CASE("memory is bounded: what was not used for longest is made again") {
  Cache cache(Settings{}, "b", 1000);
  const auto make = [] { return std::string(300, 'x'); };
  for (const char* key : {"a", "b", "c"}) cache.get(key, "t", make);
  cache.get("a", "t", kNever);
  cache.get("d", "t", make);
  cache.get("a", "t", kNever);
  cache.get("c", "t", kNever);
  CHECK_THROWS_WITH(cache.get("b", "t", kNever), "made twice");
  // One that is larger than all memory is given out nevertheless.
  CHECK(cache.get("large", "t", [] { return std::string(5000, 'x'); })->size() == 5000);
}

}  // namespace
}  // namespace jitc::cache
