// The pool: each item once, work shared when it is worth it, several callers at once.
#include "runtime/cpu/thread_pool.hpp"

#include <signal.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

using jitc::runtime::cpu::ThreadPool;

namespace {

/// Longer than the pool's caller works alone.
void work_a_while() { std::this_thread::sleep_for(std::chrono::microseconds(300)); }

/// How often each of `total` items was done.
std::vector<int> counts_of(ThreadPool& pool, uint64_t total, void (*work)() = nullptr) {
  std::vector<std::atomic<int>> counts(total);
  pool.run(total, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) counts[i].fetch_add(1, std::memory_order_relaxed);
    if (work != nullptr) work();
  });
  return {counts.begin(), counts.end()};
}

/// Waits until two threads are inside, as long as a broken pool may need to be seen as one.
bool wait_for_second(std::atomic<int>& inside) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (inside < 2) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

TEST_CASE("every item is done exactly once, whatever the number of threads and items") {
  for (unsigned thread_count : {1u, 2u, 3u, 8u}) {
    ThreadPool pool(thread_count);
    for (uint64_t total : {1u, 2u, 7u, 64u, 1000u, 100000u}) {
      CHECK(counts_of(pool, total) == std::vector<int>(total, 1));
    }
  }
}

TEST_CASE("every item is done exactly once when the work is shared") {
  ThreadPool pool(4);
  CHECK(counts_of(pool, 100, work_a_while) == std::vector<int>(100, 1));
}

TEST_CASE("an empty range calls nothing") {
  ThreadPool pool(2);
  pool.run(0, [](uint64_t, uint64_t) { FAIL("called"); });
}

TEST_CASE("the largest grid there is does not overflow the counter of items") {
  ThreadPool pool(4);
  constexpr uint64_t kTotal = uint64_t{2147483647} * 65535 * 65535;
  std::atomic<uint64_t> done{0};
  pool.run(kTotal, [&](uint64_t begin, uint64_t end) { done += end - begin; });
  CHECK(done == kTotal);
}

TEST_CASE("small work stays in the caller") {
  ThreadPool pool(8);
  std::set<std::thread::id> threads;  // not guarded: only one thread may come here
  pool.run(1, [&](uint64_t, uint64_t) { threads.insert(std::this_thread::get_id()); });
  CHECK(threads == std::set{std::this_thread::get_id()});
}

TEST_CASE("long work is helped by a second thread") {
  ThreadPool pool(2);
  std::atomic<int> inside{0};
  std::atomic<bool> met{true};
  pool.run(8, [&](uint64_t begin, uint64_t) {
    if (begin == 0) return work_a_while();  // the caller's own first item
    if (inside++ < 2 && !wait_for_second(inside)) met = false;
  });
  CHECK(met);
}

TEST_CASE("eight host threads use one pool at once") {
  ThreadPool pool(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> hosts;
  for (int i = 0; i < 8; ++i) {
    hosts.emplace_back([&] {
      for (uint64_t round = 1; round <= 20; ++round) {
        const uint64_t total = round * 37;
        if (counts_of(pool, total, round % 5 == 0 ? work_a_while : nullptr) != std::vector<int>(total, 1)) ++wrong;
      }
    });
  }
  for (std::thread& host : hosts) host.join();
  CHECK(wrong == 0);
}

TEST_CASE("a pool that was never used, and one that was, can be destroyed") {
  { const ThreadPool unused(16); }
  for (int i = 0; i < 50; ++i) {
    ThreadPool pool(4);
    counts_of(pool, 8, work_a_while);
  }
  SUCCEED();
}

TEST_CASE("workers receive none of the process's signals") {
  ThreadPool pool(2);
  std::atomic<int> inside{0}, open_masks{0};
  const std::thread::id caller = std::this_thread::get_id();
  pool.run(8, [&](uint64_t begin, uint64_t) {
    if (begin == 0) return work_a_while();
    if (inside++ < 2) wait_for_second(inside);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    if (std::this_thread::get_id() != caller && sigismember(&mask, SIGINT) != 1) ++open_masks;
  });
  CHECK(inside >= 2);
  CHECK(open_masks == 0);
}
