// The child of a fork: the device works there, with threads of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/common/make_array.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gate.hpp"
#include "tests/unit/runtime_cpu/objects.hpp"

using namespace jitc;
using runtime::Backend;
using runtime::LoadedKernel;
using runtime::Queue;
using runtime::cpu::make_cpu_backend;
using tests::Gate;

namespace {

constexpr unsigned kChildSeconds = 120;

/// Whether `check` is true in a child of this process; false also when it hangs, throws or crashes there.
bool child_finds(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kChildSeconds);
    try {
      _exit(check() ? 0 : 1);
    } catch (...) { _exit(1); }
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Enough blocks that the pool's workers help.
constexpr uint32_t kBlocks = 3'000'000;

bool counts_right(Backend& backend, const LoadedKernel& kernel, Queue& queue, uint32_t blocks = kBlocks) {
  std::vector<uint32_t> counts(blocks);
  const void* params = counts.data();
  backend.launch(kernel, {{blocks}, {1}}, std::as_bytes(std::span(&params, 1)), queue);
  queue.synchronize();
  return counts == std::vector<uint32_t>(blocks, 1);
}

}  // namespace

TEST_CASE("launches are shared by new threads in the child of a fork") {
  const auto backend = make_cpu_backend(4);
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  CHECK(counts_right(*backend, *kernel, *backend->default_queue()));
  CHECK(child_finds([&] { return counts_right(*backend, *kernel, *backend->default_queue()); }));
  CHECK(counts_right(*backend, *kernel, *backend->default_queue()));
}

TEST_CASE("streams made before a fork work in the child") {
  const auto backend = make_cpu_backend(4);
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  const auto used = backend->make_queue({}), unused = backend->make_queue({});
  const auto marker = backend->make_marker({});
  CHECK(counts_right(*backend, *kernel, *used));
  const auto both_work = [&] {
    marker->record(*used);
    unused->wait(*marker);
    const bool ok = counts_right(*backend, *kernel, *used) && counts_right(*backend, *kernel, *unused) &&
                    counts_right(*backend, *kernel, *backend->per_thread_queue());
    backend->synchronize();
    return ok && marker->is_done();
  };
  CHECK(child_finds(both_work));
  CHECK(both_work());
}

TEST_CASE("work that was not done at a fork is the parent's, and the child is told") {
  const auto backend = make_cpu_backend(2);
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  const auto queue = backend->make_queue({});
  const auto marker = backend->make_marker({});
  Gate gate;
  std::atomic<int> done{0};
  queue->call(gate.stop());
  queue->call([&] { ++done; });
  marker->record(*queue);
  const Array array = runtime::make_array(backend, {100}, f4, queue);
  gate.await_arrival();
  CHECK(child_finds([&] {
    const tests::ThrownError error = tests::error_of([&] { queue->synchronize(); });
    const bool is_told =
        error.code == ErrorCode::device &&
        error.text ==
            "the process was forked when 3 pieces of work of a stream were not done; they are the parent's, and their "
            "results are missing here";
    const bool is_done = marker->is_done() && queue->is_done() && backend->default_queue()->is_done();
    const bool has_time = tests::error_of([&] { marker->ms_until(*marker); }).code == std::nullopt;
    return is_told && is_done && !has_time && done == 0 && counts_right(*backend, *kernel, *queue) &&
           counts_right(*backend, *kernel, *backend->default_queue());
  }));
  CHECK_FALSE(queue->is_done());
  gate.open();
  CHECK_NOTHROW(queue->synchronize());
  CHECK(done == 1);
}

TEST_CASE("default work on another thread does not hold the child of a fork up") {
  const auto backend = make_cpu_backend(2);
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  const auto queue = backend->make_queue({});
  Gate gate;
  std::thread host([&] { backend->default_queue()->call(gate.stop()); });
  gate.await_arrival();
  CHECK(child_finds([&] {
    backend->synchronize();
    return counts_right(*backend, *kernel, *queue) && counts_right(*backend, *kernel, *backend->default_queue());
  }));
  gate.open();
  host.join();
}

TEST_CASE("a function that a stream calls may fork") {
  const auto backend = make_cpu_backend(2);
  const auto queue = backend->make_queue({}), other = backend->make_queue({});
  bool is_right = false;
  other->call([] {});
  other->synchronize();
  queue->call([&] {
    is_right = child_finds([&] {
      bool ran = false;
      other->call([&] { ran = true; });
      other->synchronize();
      return ran;
    });
  });
  queue->synchronize();
  CHECK(is_right);
}

// GCC's libasan does not hold its allocator's locks over a fork, so that a child may find them locked for good when
// other threads allocate at that moment (LLVM's has done so since 2023).
#ifndef __SANITIZE_ADDRESS__
TEST_CASE("no lock stays locked in the child when others work at the moment of the fork") {
  const auto backend = make_cpu_backend(3);
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  std::atomic<bool> is_over{false};
  std::vector<std::thread> hosts;
  for (int host = 0; host < 3; ++host) {
    hosts.emplace_back([&, host] {
      const auto queue = host == 0 ? backend->default_queue() : backend->make_queue({.non_blocking = host == 1});
      while (!is_over) {
        const Array array = runtime::make_array(backend, {20000}, u4, queue);
        backend->fill_zero(array.data(), 80000, *queue);
        counts_right(*backend, *kernel, *queue, 20000);
      }
    });
  }
  int wrong = 0;
  for (int i = 0; i < 40; ++i) {
    const bool is_right = child_finds([&] {
      const auto queue = backend->make_queue({});
      const Array array = runtime::make_array(backend, {1000}, u4, queue);
      return counts_right(*backend, *kernel, *queue, 20000) &&
             counts_right(*backend, *kernel, *backend->default_queue(), 20000);
    });
    wrong += is_right ? 0 : 1;
  }
  is_over = true;
  for (std::thread& host : hosts) host.join();
  CHECK(wrong == 0);
}
#endif
