// The CPU's queues: what is in order, what runs at once, what waits for what.
#include "runtime/cpu/cpu_queue.hpp"

#include <signal.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/common/buffer.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "runtime/cpu/fp_mode.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gate.hpp"
#include "tests/support/host_backend.hpp"
#include "tests/unit/runtime_cpu/objects.hpp"

using namespace jitc;
using runtime::Backend;
using runtime::Marker;
using runtime::Queue;
using runtime::cpu::make_cpu_backend;
using tests::Gate;

namespace {

constexpr StreamOptions kNonBlocking{.non_blocking = true};

/// What happened, in order; from any thread.
class Log {
 public:
  void add(char event) {
    const std::lock_guard lock(mutex_);
    text_ += event;
  }
  std::function<void()> adding(char event) {
    return [this, event] { add(event); };
  }
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

/// Gives other threads every chance to do what they should not.
void let_others_run() {
  for (int i = 0; i < 200; ++i) std::this_thread::yield();
}

/// A thread whose work of the default queue has come to the gate, and adds 'd' when it is let go.
std::thread stop_default_queue(Backend& backend, const Gate& gate, Log& log) {
  std::thread host([&backend, &log, stop = gate.stop()] {
    backend.default_queue()->call([&log, &stop] {
      stop();
      log.add('d');
    });
  });
  gate.await_arrival();
  return host;
}

}  // namespace

TEST_CASE("the work of a queue is done in order") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  std::vector<int> seen;  // not guarded: one thread comes here
  for (int i = 0; i < 1000; ++i) queue->call([&seen, i] { seen.push_back(i); });
  queue->synchronize();
  REQUIRE(seen.size() == 1000);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
}

TEST_CASE("the work of two queues runs at once") {
  const auto backend = make_cpu_backend(1);
  const auto first = backend->make_queue({}), second = backend->make_queue({});
  Gate one, other;
  first->call(one.stop());
  second->call(other.stop());
  one.await_arrival();
  other.await_arrival();
  other.open();
  second->synchronize();
  CHECK(second->is_done());
  CHECK_FALSE(first->is_done());
  one.open();
  first->synchronize();
  CHECK(first->is_done());
}

TEST_CASE("work of the default queue is done on the calling thread when the call returns") {
  const auto backend = make_cpu_backend(1);
  std::thread::id seen;
  backend->default_queue()->call([&] { seen = std::this_thread::get_id(); });
  CHECK(seen == std::this_thread::get_id());
  CHECK(backend->default_queue()->is_done());
}

TEST_CASE("the default queue waits for blocking queues, and is done when they are") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  Gate gate;
  Log log;
  queue->call(gate.stop());
  queue->call(log.adding('q'));
  CHECK_FALSE(backend->default_queue()->is_done());
  std::thread host([&] { backend->default_queue()->call(log.adding('d')); });
  gate.await_arrival();
  let_others_run();
  gate.open();
  host.join();
  CHECK(log.text() == "qd");
  CHECK(backend->default_queue()->is_done());
}

TEST_CASE("the default queue does not wait for non-blocking queues, nor they for it") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue(kNonBlocking);
  Gate gate, inner;
  queue->call(gate.stop());
  gate.await_arrival();
  backend->default_queue()->call([] {});
  CHECK_FALSE(queue->is_done());
  gate.open();
  std::thread host([&] { backend->default_queue()->call(inner.stop()); });
  inner.await_arrival();
  queue->call([] {});
  queue->synchronize();
  CHECK_FALSE(backend->default_queue()->is_done());
  inner.open();
  host.join();
}

TEST_CASE("blocking queues wait for the default queue's work on another thread") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  Gate gate;
  Log log;
  std::thread host = stop_default_queue(*backend, gate, log);
  queue->call(log.adding('q'));
  let_others_run();
  CHECK(log.text().empty());
  CHECK_FALSE(queue->is_done());
  gate.open();
  queue->synchronize();
  CHECK(log.text() == "dq");
  host.join();
}

TEST_CASE("default work behind a blocking queue is waited for by what that queue is given after it") {
  const auto backend = make_cpu_backend(1);
  const auto first = backend->make_queue({}), second = backend->make_queue({});
  for (int round = 0; round < 50; ++round) {
    Gate gate;
    Log log;
    std::atomic<bool> has_begun{false};
    first->call(gate.stop());
    std::thread host([&] {
      has_begun = true;
      backend->default_queue()->call(log.adding('d'));
    });
    while (!has_begun) std::this_thread::yield();
    second->call(log.adding('s'));  // before or after 'd', and never waited for in a circle
    gate.open();
    host.join();
    backend->synchronize();
    CHECK(log.text().size() == 2);
  }
}

TEST_CASE("default work of several threads and work of blocking queues never overlap") {
  const auto backend = make_cpu_backend(1);
  std::atomic<int> in_default{0}, in_lanes{0}, overlaps{0};
  std::vector<std::thread> hosts;
  for (int host = 0; host < 3; ++host) {
    hosts.emplace_back([&] {
      const auto queue = backend->make_queue({});
      for (int round = 0; round < 300; ++round) {
        queue->call([&] {
          ++in_lanes;
          if (in_default != 0) ++overlaps;
          --in_lanes;
        });
        if (round % 3 != 0) continue;
        backend->default_queue()->call([&] {
          ++in_default;
          if (in_lanes != 0) ++overlaps;
          --in_default;
        });
      }
    });
  }
  for (std::thread& host : hosts) host.join();
  backend->synchronize();
  CHECK(overlaps == 0);
}

TEST_CASE("a host thread always gets the same queue of its own, and others get others") {
  const auto backend = make_cpu_backend(1), other_backend = make_cpu_backend(1);
  const auto own = backend->per_thread_queue();
  CHECK(backend->per_thread_queue() == own);
  CHECK(other_backend->per_thread_queue() != own);
  CHECK(&other_backend->per_thread_queue()->backend() == other_backend.get());
  std::shared_ptr<Queue> theirs;
  std::thread([&] { theirs = backend->per_thread_queue(); }).join();
  CHECK(theirs != own);
  bool is_done = false;
  theirs->call([&] { is_done = true; });
  theirs->synchronize();
  CHECK(is_done);
}

TEST_CASE("work is done though its queue is gone") {
  const auto backend = make_cpu_backend(1);
  Gate gate;
  std::atomic<int> done{0};
  auto queue = backend->make_queue({});
  queue->call(gate.stop());
  for (int i = 0; i < 10; ++i) queue->call([&] { ++done; });
  gate.await_arrival();
  queue.reset();
  CHECK(done == 0);
  gate.open();
  backend->synchronize();
  CHECK(done == 10);
}

TEST_CASE("work is done though its device is gone") {
  std::promise<void> done;
  {
    const auto backend = make_cpu_backend(2);
    backend->make_queue({})->call([&] { done.set_value(); });
  }
  done.get_future().wait();
  SUCCEED();
}

TEST_CASE("the threads of queues receive no signals and compute as kernels do") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  bool is_blocked = false;
  uint64_t mode = 0;
  queue->call([&] {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    is_blocked = sigismember(&mask, SIGINT) == 1;
    mode = runtime::cpu::read_fp_mode();
  });
  queue->synchronize();
  CHECK(is_blocked);
  CHECK(mode == runtime::cpu::kKernelFpMode);
}

TEST_CASE("a marker that was never recorded is done, and is passed at once") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto marker = backend->make_marker({});
  CHECK(marker->is_done());
  marker->synchronize();
  queue->wait(*marker);
  CHECK(queue->is_done());
  backend->default_queue()->wait(*marker);
}

TEST_CASE("a queue waits for what a marker marks in another queue") {
  const auto backend = make_cpu_backend(1);
  const auto first = backend->make_queue({}), second = backend->make_queue({});
  const auto marker = backend->make_marker({});
  Gate gate;
  Log log;
  first->call(gate.stop());
  first->call(log.adding('1'));
  marker->record(*first);
  second->wait(*marker);
  second->call(log.adding('2'));
  CHECK_FALSE(marker->is_done());
  let_others_run();
  CHECK(log.text().empty());
  gate.open();
  second->synchronize();
  CHECK(log.text() == "12");
  CHECK(marker->is_done());
}

TEST_CASE("a wait is for the record of its time: recording again does not prolong it") {
  const auto backend = make_cpu_backend(1);
  const auto first = backend->make_queue({}), second = backend->make_queue({});
  const auto marker = backend->make_marker({});
  Gate early, late;
  first->call(early.stop());
  marker->record(*first);
  second->wait(*marker);
  first->call(late.stop());
  marker->record(*first);
  early.open();
  late.await_arrival();
  second->synchronize();
  CHECK_FALSE(marker->is_done());
  late.open();
  marker->synchronize();
  CHECK(marker->is_done());
}

TEST_CASE("a wait is for the record of its time: recording elsewhere does not end it") {
  const auto backend = make_cpu_backend(1);
  const auto first = backend->make_queue({}), second = backend->make_queue({}), third = backend->make_queue({});
  const auto marker = backend->make_marker({});
  Gate gate;
  first->call(gate.stop());
  marker->record(*first);
  second->wait(*marker);
  marker->record(*third);
  marker->synchronize();
  let_others_run();
  CHECK_FALSE(second->is_done());
  gate.open();
  second->synchronize();
}

TEST_CASE("the default queue waits for a marker on the calling thread") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue(kNonBlocking);
  const auto marker = backend->make_marker({});
  Gate gate;
  Log log;
  queue->call(gate.stop());
  queue->call(log.adding('q'));
  marker->record(*queue);
  gate.await_arrival();
  std::thread host([&] {
    backend->default_queue()->wait(*marker);
    log.add('d');
  });
  let_others_run();
  gate.open();
  host.join();
  CHECK(log.text() == "qd");
}

TEST_CASE("a queue of one CPU device waits for a marker of another") {
  const auto one = make_cpu_backend(1), other = make_cpu_backend(1);
  const auto first = one->make_queue({}), second = other->make_queue({});
  const auto marker = one->make_marker({});
  Gate gate;
  Log log;
  first->call(gate.stop());
  first->call(log.adding('1'));
  marker->record(*first);
  second->wait(*marker);
  second->call(log.adding('2'));
  gate.open();
  other->synchronize();
  CHECK(log.text() == "12");
}

TEST_CASE("a marker of another kind of device is refused") {
  class OtherMarker : public Marker {
   public:
    explicit OtherMarker(Backend& backend) : backend_(backend) {}
    Backend& backend() const override { return backend_; }
    void record(Queue&) override {}
    bool is_done() override { return true; }
    void synchronize() override {}
    double ms_until(Marker&) override { return 0; }

   private:
    Backend& backend_;
  };
  tests::HostBackend other("cuda:0");
  OtherMarker marker(other);
  CHECK_ERROR(make_cpu_backend(1)->make_queue({})->wait(marker), ErrorCode::argument,
              "a stream of device cpu cannot wait for an event of device cuda:0");
}

TEST_CASE("order() lets one queue wait for what another has, whatever kinds they are") {
  const auto backend = make_cpu_backend(1);
  for (const bool is_second_blocking : {false, true}) {
    const auto first = backend->make_queue(kNonBlocking);
    const auto second = backend->make_queue({.non_blocking = !is_second_blocking});
    Gate gate;
    Log log;
    first->call(gate.stop());
    first->call(log.adding('1'));
    backend->order(*first, *second);
    second->call(log.adding('2'));
    backend->order(*second, *second);
    let_others_run();
    gate.open();
    backend->order(*second, *backend->default_queue());
    log.add('d');
    CHECK(log.text() == "12d");
  }
}

TEST_CASE("order() lets a non-blocking queue wait for the default queue's work on another thread") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue(kNonBlocking);
  Gate gate;
  Log log;
  std::thread host = stop_default_queue(*backend, gate, log);
  backend->order(*backend->default_queue(), *queue);
  queue->call(log.adding('q'));
  let_others_run();
  gate.open();
  queue->synchronize();
  host.join();
  CHECK(log.text() == "dq");
}

TEST_CASE("a queue without work is at its record at once, but not behind the default queue's work") {
  const auto backend = make_cpu_backend(1);
  const auto blocking = backend->make_queue({}), other = backend->make_queue(kNonBlocking);
  const auto first = backend->make_marker({}), second = backend->make_marker({}), third = backend->make_marker({});
  first->record(*blocking);
  CHECK(first->is_done());
  CHECK(first->ms_until(*first) == 0);
  Gate gate;
  std::thread host([&] { backend->default_queue()->call(gate.stop()); });
  gate.await_arrival();
  second->record(*blocking);
  third->record(*other);
  CHECK_FALSE(second->is_done());
  CHECK(third->is_done());
  gate.open();
  second->synchronize();
  CHECK(second->is_done());
  CHECK(first->ms_until(*second) > 0);
  host.join();
}

TEST_CASE("times of markers are in the order of their records") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto begin = backend->make_marker({}), end = backend->make_marker({}), later = backend->make_marker({});
  begin->record(*queue);
  queue->call([] {});
  end->record(*queue);
  queue->synchronize();
  later->record(*backend->default_queue());
  CHECK(begin->ms_until(*end) >= 0);
  CHECK(end->ms_until(*begin) <= 0);
  CHECK(end->ms_until(*later) >= 0);
  CHECK(begin->ms_until(*begin) == 0);
}

TEST_CASE("only markers with timing that their queue has come to have a time") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto good = backend->make_marker({}), untimed = backend->make_marker({.timing = false}),
             fresh = backend->make_marker({}), early = backend->make_marker({});
  Gate gate;
  good->record(*backend->default_queue());
  untimed->record(*backend->default_queue());
  queue->call(gate.stop());
  early->record(*queue);
  CHECK_ERROR(good->ms_until(*untimed), ErrorCode::argument, "an event without timing has no time");
  CHECK_ERROR(untimed->ms_until(*good), ErrorCode::argument, "an event without timing has no time");
  CHECK_ERROR(good->ms_until(*fresh), ErrorCode::argument, "an event that was not recorded has no time");
  CHECK_ERROR(good->ms_until(*early), ErrorCode::argument, "an event that its stream has not come to has no time");
  gate.open();
  queue->synchronize();
  CHECK(good->ms_until(*early) >= 0);
}

TEST_CASE("the first failure since the last synchronize() is thrown, and later work still runs") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  bool ran = false;
  queue->call([] { throw Error(ErrorCode::kernel, "first"); });
  queue->call([] { throw std::runtime_error("second"); });
  queue->call([&] { ran = true; });
  CHECK_ERROR(queue->synchronize(), ErrorCode::kernel, "first");
  CHECK(ran);
  CHECK_NOTHROW(queue->synchronize());
  queue->call([] { throw std::runtime_error("third"); });
  CHECK_THROWS_WITH(queue->synchronize(), "third");
}

TEST_CASE("a marker throws the failure of what it marks, and not of later work") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto before = backend->make_marker({}), after = backend->make_marker({});
  before->record(*queue);
  queue->call([] { throw Error(ErrorCode::memory, "here"); });
  after->record(*queue);
  while (!queue->is_done()) std::this_thread::yield();
  CHECK_NOTHROW(before->synchronize());
  CHECK_ERROR(after->synchronize(), ErrorCode::memory, "here");
  CHECK_NOTHROW(queue->synchronize());
}

TEST_CASE("a marker throws the failure of work that was done when it was recorded") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto marker = backend->make_marker({});
  queue->call([] { throw Error(ErrorCode::memory, "here"); });
  while (!queue->is_done()) std::this_thread::yield();
  marker->record(*queue);
  CHECK_ERROR(marker->synchronize(), ErrorCode::memory, "here");
  CHECK_NOTHROW(marker->synchronize());
}

TEST_CASE("a marker forgets the failures of what it marks, and leaves those of later work to the next wait") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto marker = backend->make_marker({});
  const auto fail_around_it = [&](int behind) {
    queue->call([] { throw std::runtime_error("first"); });
    queue->call([] { throw std::runtime_error("second"); });
    marker->record(*queue);
    for (int i = 0; i < behind; ++i) queue->call([] { throw std::runtime_error("behind"); });
    while (!queue->is_done()) std::this_thread::yield();
  };
  for (const int behind : {1, 200}) {
    fail_around_it(behind);
    CHECK_THROWS_WITH(marker->synchronize(), "first");
    CHECK_NOTHROW(marker->synchronize());
    CHECK_THROWS_WITH(queue->synchronize(), "behind");
    CHECK_NOTHROW(queue->synchronize());
    fail_around_it(behind);
    CHECK_THROWS_WITH(marker->synchronize(), "first");
    CHECK_THROWS_WITH(backend->synchronize(), "behind");
    CHECK_NOTHROW(queue->synchronize());
  }
}

TEST_CASE("a marker behind more failures than are kept leaves the newest to the next wait") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto marker = backend->make_marker({});
  for (int i = 0; i < 100; ++i) queue->call([] { throw std::runtime_error("before"); });
  marker->record(*queue);
  for (int i = 0; i < 100; ++i) queue->call([i] { throw std::runtime_error(i == 99 ? "newest" : "behind"); });
  while (!queue->is_done()) std::this_thread::yield();
  CHECK_THROWS_WITH(marker->synchronize(), "before");
  CHECK_THROWS_WITH(queue->synchronize(), "newest");
  CHECK_NOTHROW(backend->synchronize());
}

TEST_CASE("a marker of the default queue leaves the failures of later work to the next wait") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->default_queue();
  const auto marker = backend->make_marker({});
  queue->call([] { throw std::runtime_error("first"); });
  marker->record(*queue);
  queue->call([] { throw std::runtime_error("behind"); });
  CHECK_THROWS_WITH(marker->synchronize(), "first");
  CHECK_NOTHROW(marker->synchronize());
  CHECK_THROWS_WITH(queue->synchronize(), "behind");
  CHECK_NOTHROW(backend->synchronize());
}

TEST_CASE("what a marker threw of a queue that is gone is not thrown again, nor is what is left of others lost") {
  const auto backend = make_cpu_backend(1);
  const auto marker = backend->make_marker({});
  for (const char* text : {"told", "left"}) {
    const auto queue = backend->make_queue({});
    queue->call([text] { throw std::runtime_error(text); });
    if (text == std::string("told")) marker->record(*queue);
    while (!queue->is_done()) std::this_thread::yield();
  }
  CHECK_THROWS_WITH(marker->synchronize(), "told");
  CHECK_THROWS_WITH(backend->synchronize(), "left");
  CHECK_NOTHROW(backend->synchronize());
}

TEST_CASE("an error may own an array, whoever forgets it") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  for (int i = 0; i < 100; ++i) {
    const Array array = runtime::make_array(backend, {8}, f4, queue);
    queue->call([array] { throw array; });
    backend->default_queue()->call([array] { throw array; });
  }
  CHECK_THROWS_AS(queue->synchronize(), Array);
  CHECK_THROWS_AS(backend->synchronize(), Array);
  CHECK_NOTHROW(backend->synchronize());
  CHECK(backend->memory_state().pending_frees == 0);
}

TEST_CASE("what a function on the default queue throws is thrown by its next synchronize()") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->default_queue();
  const auto marker = backend->make_marker({});
  CHECK_NOTHROW(queue->call([] { throw Error(ErrorCode::kernel, "one"); }));
  CHECK_ERROR(queue->synchronize(), ErrorCode::kernel, "one");
  CHECK_NOTHROW(queue->synchronize());
  queue->call([] { throw Error(ErrorCode::kernel, "two"); });
  marker->record(*queue);
  CHECK_ERROR(marker->synchronize(), ErrorCode::kernel, "two");
}

TEST_CASE("synchronizing the device throws the first failure of all queues and forgets the others") {
  const auto backend = make_cpu_backend(1);
  const auto first = backend->make_queue({});
  auto second = backend->make_queue(kNonBlocking);
  second->call([] { throw Error(ErrorCode::kernel, "second queue"); });
  while (!second->is_done()) std::this_thread::yield();
  first->call([] { throw Error(ErrorCode::kernel, "first queue"); });
  second.reset();
  CHECK_ERROR(backend->synchronize(), ErrorCode::kernel, "second queue");
  CHECK_NOTHROW(first->synchronize());
  CHECK_NOTHROW(backend->synchronize());
}

TEST_CASE("a function that a queue calls is refused whatever it asks for, before anything is queued") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({}), other = backend->make_queue({});
  const auto marker = backend->make_marker({});
  const Array array = runtime::make_array(backend, {4}, i4, other);
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  std::vector<int32_t> host{1, 2, 3, 4};
  bool ran = false;
  const auto check_refused = [](const std::function<void()>& use) {
    CHECK_ERROR(use(), ErrorCode::argument,
                "cpu cannot be used in a function that a stream calls: it must not use jitc");
  };
  const auto check_refusals = [&] {
    const void* params = host.data();
    for (const auto& to : {queue, other, backend->default_queue()}) {
      const Stream stream = Stream::of_queue(to);
      check_refused([&] { to->synchronize(); });
      check_refused([&] { to->call([&] { ran = true; }); });
      check_refused([&] { to->wait(*marker); });
      check_refused([&] { marker->record(*to); });
      check_refused([&] { array.copy_from_host(host, stream); });
      check_refused([&] { array.to_vector<int32_t>(stream); });
      check_refused([&] { array.copy(stream); });
      check_refused([&] { backend->fill_zero(array.data(), 16, *to); });
      check_refused([&] { backend->launch(*kernel, {{4}, {1}}, std::as_bytes(std::span(&params, 1)), *to); });
      check_refused([&] { backend->order(*to, *other); });
    }
    check_refused([&] { marker->synchronize(); });
    check_refused([&] { backend->synchronize(); });
    check_refused([&] { backend->make_queue({}); });
    check_refused([&] { backend->make_marker({}); });
    check_refused([&] { backend->load(tests::object_artifact("count_blocks")); });
    check_refused([&] { backend->allocate_host(64, HostMemoryKind::pinned, {}); });
  };
  marker->record(*other);
  queue->call(check_refusals);
  CHECK_NOTHROW(queue->synchronize());
  backend->default_queue()->call(check_refusals);
  CHECK_NOTHROW(backend->synchronize());
  CHECK_FALSE(ran);
  CHECK(host == std::vector<int32_t>{1, 2, 3, 4});
}

TEST_CASE(
    "a function that a queue calls may free arrays and let go of wrapped memory, behind the work that uses them") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({}), user = backend->make_queue(kNonBlocking);
  const auto owner = std::make_shared<std::vector<std::byte>>(64);
  const std::weak_ptr<std::vector<std::byte>> watch = owner;
  auto array = std::make_shared<Array>(runtime::make_array(backend, {16}, f4, user));
  auto wrapped = std::make_shared<runtime::Buffer>(backend, owner->data(), owner->size(), owner);
  wrapped->use_on(user);
  Gate gate;
  user->call(gate.stop());
  queue->call([&] {
    array.reset();
    wrapped.reset();
  });
  queue->synchronize();
  CHECK(watch.use_count() == 2);
  CHECK(backend->memory_state().pending_frees == 1);
  gate.open();
  user->synchronize();
  CHECK(watch.use_count() == 1);
  CHECK(backend->memory_state().pending_frees == 0);
}

TEST_CASE("eight host threads give work to one queue and to their own at once") {
  const auto backend = make_cpu_backend(2);
  const auto shared = backend->make_queue({});
  int shared_count = 0;  // not guarded: the queue's work does not overlap
  std::atomic<int> own_count{0};
  std::vector<std::thread> hosts;
  for (int host = 0; host < 8; ++host) {
    hosts.emplace_back([&] {
      const auto own = backend->per_thread_queue();
      const auto marker = backend->make_marker({});
      for (int round = 0; round < 100; ++round) {
        own->call([&] { ++own_count; });
        marker->record(*own);
        shared->wait(*marker);
        shared->call([&] { ++shared_count; });
        if (round % 10 == 0) own->synchronize();
      }
    });
  }
  for (std::thread& host : hosts) host.join();
  backend->synchronize();
  CHECK(shared_count == 800);
  CHECK(own_count == 800);
}
