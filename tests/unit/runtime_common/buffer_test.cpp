// Which queues a buffer knows of when it is freed.
#include "runtime/common/buffer.hpp"

#include <catch2/catch.hpp>

#include "tests/support/host_backend.hpp"

using namespace jitc;
using tests::HostBackend;

TEST_CASE("memory is freed behind every queue that worked with it, and ordered once behind its home") {
  const auto backend = std::make_shared<HostBackend>();
  const auto first = backend->make_queue({}), second = backend->make_queue({});
  {
    runtime::Buffer buffer(backend, 16, backend->default_queue());
    buffer.use_on(backend->default_queue());
    CHECK(backend->orders == 0);
    for (int i = 0; i < 3; ++i) {
      buffer.use_on(first);
      buffer.use_on(second);
    }
    CHECK(backend->orders == 2);
  }
  CHECK(backend->queues_at_last_free == 2);
}

TEST_CASE("long-lived memory does not keep the streams of the past alive") {
  const auto backend = std::make_shared<HostBackend>();
  std::vector<std::weak_ptr<runtime::Queue>> queues;
  {
    runtime::Buffer buffer(backend, 16, backend->default_queue());
    for (int i = 0; i < 100; ++i) {
      const auto queue = backend->make_queue({});
      queues.push_back(queue);
      buffer.use_on(queue);
    }
    const auto alive = std::count_if(queues.begin(), queues.end(), [](const auto& queue) { return !queue.expired(); });
    CHECK(alive <= 8);
    CHECK_FALSE(queues.back().expired());
  }
  CHECK(queues.back().expired());
}

TEST_CASE("a stream that someone may give work to is not forgotten, done or not") {
  const auto backend = std::make_shared<HostBackend>();
  {
    runtime::Buffer buffer(backend, 16, backend->default_queue());
    const auto kept = runtime::with_handle(backend->make_queue({}));
    buffer.use_on(kept);
    for (int i = 0; i < 100; ++i) buffer.use_on(backend->make_queue({}));
    buffer.use_on(kept);
    CHECK(backend->orders == 101);  // known: not ordered once more
  }
}

TEST_CASE("the owner of wrapped memory goes with the last array of it") {
  const auto backend = std::make_shared<HostBackend>();
  std::vector<std::byte> memory(16);
  const auto owner = std::make_shared<int>(0);
  {
    runtime::Buffer buffer(backend, memory.data(), memory.size(), owner);
    buffer.use_on(backend->make_queue({}));
    CHECK(owner.use_count() == 2);
  }
  CHECK(owner.use_count() == 1);
  CHECK(backend->live_allocations == 0);
}
