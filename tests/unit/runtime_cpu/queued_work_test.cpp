// Launches, copies and memory on queues of the CPU: what lives until the work is done.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/common/buffer.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gate.hpp"
#include "tests/unit/runtime_cpu/objects.hpp"

using namespace jitc;
using runtime::make_array;
using runtime::cpu::make_cpu_backend;
using tests::Gate;

namespace {

std::span<const std::byte> bytes_of(const auto& params) { return std::as_bytes(std::span(&params, 1)); }

}  // namespace

TEST_CASE("a launch on a queue copies its parameters and keeps its kernel loaded") {
  const auto backend = make_cpu_backend(2);
  const auto queue = backend->make_queue({});
  std::vector<uint32_t> counts(1000);
  Gate gate;
  queue->call(gate.stop());
  {
    const auto kernel = backend->load(tests::object_artifact("count_blocks"));
    const auto params = std::make_unique<void*>(counts.data());
    backend->launch(*kernel, {{1000}, {32}}, bytes_of(*params), *queue);
    *params = nullptr;
  }
  CHECK(counts == std::vector<uint32_t>(1000, 0));
  gate.open();
  queue->synchronize();
  CHECK(counts == std::vector<uint32_t>(1000, 1));
}

TEST_CASE("a checked kernel that fails on a queue is told by synchronize(), and later launches run") {
  const auto backend = make_cpu_backend(2);
  const auto queue = backend->make_queue({});
  Artifact artifact = tests::object_artifact("fail_in_block_5");
  artifact.fail_sites = {{FailKind::index, "x", 7, 5, 0}};
  const auto failing = backend->load(artifact);
  const auto counting = backend->load(tests::object_artifact("count_blocks"));
  uint32_t count = 0;
  const void* params = &count;
  CHECK_NOTHROW(backend->launch(*failing, {{8}, {32}}, {}, *queue));
  CHECK_NOTHROW(backend->launch(*counting, {{1}, {32}}, bytes_of(params), *queue));
  const std::string text =
      "case.dsl:7:5: index 12 is outside array 'x' (axis 0 has extent 10) in kernel 'fail_in_block_5', thread (3,0,0) "
      "block (5,0,0)";
  CHECK_ERROR(queue->synchronize(), ErrorCode::kernel, text);
  CHECK(count == 1);
  CHECK_NOTHROW(queue->synchronize());
  CHECK_ERROR(backend->launch(*failing, {{8}, {32}}, {}, *backend->default_queue()), ErrorCode::kernel, text);
}

TEST_CASE("copies and fills on a queue come in its order") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const Stream stream = Stream::of_queue(queue);
  const Array a = make_array(backend, {4}, i4, queue);
  std::vector<int32_t> in{1, 2, 3, 4}, out(4), zeros(4, 7);
  Gate gate;
  queue->call(gate.stop());
  a.copy_from_host(in, stream);
  a.copy_to_host(out, stream);
  backend->fill_zero(a.data(), 16, *queue);
  a.copy_to_host(zeros, stream);
  CHECK(out == std::vector<int32_t>(4));
  gate.open();
  queue->synchronize();
  CHECK(out == in);
  CHECK(zeros == std::vector<int32_t>(4));
}

TEST_CASE("memory of idle queues is given back at once") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  queue->call([] {});
  queue->synchronize();
  make_array(backend, {100}, f8, queue);
  make_array(backend, {100}, f8, backend->default_queue());
  CHECK(backend->memory_state().pending_frees == 0);
  CHECK(backend->counters.frees == 2);
}

TEST_CASE("memory is given back behind the work of all queues that used it") {
  const auto backend = make_cpu_backend(1);
  const auto home = backend->make_queue({}), user = backend->make_queue({});
  Gate at_home, at_user;
  home->call(at_home.stop());
  {
    const Array array = make_array(backend, {100}, f8, home);
    at_home.open();
    home->synchronize();
    array.buffer()->use_on(user);
    user->call(at_user.stop());
  }
  CHECK(backend->memory_state().pending_frees == 1);
  CHECK(backend->memory_state().pending_bytes == 800);
  home->synchronize();
  CHECK(backend->memory_state().pending_frees == 1);
  at_user.open();
  user->synchronize();
  CHECK(backend->memory_state().pending_frees == 0);
  CHECK(backend->memory_state().pending_bytes == 0);
}

TEST_CASE("an array may go while a launch on a queue still writes it") {
  const auto backend = make_cpu_backend(2);
  const auto queue = backend->make_queue({});
  const auto kernel = backend->load(tests::object_artifact("count_blocks"));
  std::vector<uint32_t> counts(10000);
  Gate gate;
  queue->call(gate.stop());
  {
    const Array array = make_array(backend, {10000}, u4, queue);
    const void* params = array.data();
    backend->fill_zero(array.data(), 40000, *queue);
    backend->launch(*kernel, {{10000}, {1}}, bytes_of(params), *queue);
    array.copy_to_host(counts, Stream::of_queue(queue));
  }
  gate.open();
  queue->synchronize();
  CHECK(counts == std::vector<uint32_t>(10000, 1));
}

TEST_CASE("an array first used on another queue is used there after its home queue's work") {
  const auto backend = make_cpu_backend(1);
  const auto home = backend->make_queue({.non_blocking = true}), user = backend->make_queue({.non_blocking = true});
  const Array array = make_array(backend, {3}, i4, home);
  std::vector<int32_t> in{5, 6, 7}, out(3);
  Gate gate;
  home->call(gate.stop());
  array.copy_from_host(in, Stream::of_queue(home));
  array.copy_to_host(out, Stream::of_queue(user));
  gate.await_arrival();
  CHECK(out == std::vector<int32_t>(3));
  gate.open();
  user->synchronize();
  CHECK(out == in);
}

TEST_CASE("the owner of wrapped memory is released when the queues that used it are done") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto owner = std::make_shared<std::vector<std::byte>>(64);
  const std::weak_ptr<std::vector<std::byte>> watch = owner;
  Gate gate;
  {
    auto buffer = std::make_shared<runtime::Buffer>(backend, owner->data(), owner->size(), owner);
    buffer->use_on(queue);
    queue->call(gate.stop());
  }
  CHECK(watch.use_count() == 2);
  gate.open();
  queue->synchronize();
  CHECK(watch.use_count() == 1);
}

TEST_CASE("the owner of wrapped memory that only the default queue used is released without waiting for others") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  const auto owner = std::make_shared<std::vector<std::byte>>(64);
  const std::weak_ptr<std::vector<std::byte>> watch = owner;
  Gate gate;
  {
    auto buffer = std::make_shared<runtime::Buffer>(backend, owner->data(), owner->size(), owner);
    buffer->use_on(backend->default_queue());
    queue->call(gate.stop());
  }
  CHECK(watch.use_count() == 1);
  CHECK_FALSE(queue->is_done());
}

TEST_CASE("memory that work of a queue gives back does not stop the queue") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  auto array = std::make_shared<Array>(make_array(backend, {8}, f4, queue));
  queue->call([array = std::move(array)]() mutable { array.reset(); });
  queue->synchronize();
  backend->synchronize();
  CHECK(backend->memory_state().pending_frees == 0);
}

TEST_CASE("an artifact's kernel may be destroyed by the work that ran it last") {
  const auto backend = make_cpu_backend(1);
  const auto queue = backend->make_queue({});
  uint32_t count = 0;
  const void* params = &count;
  for (int i = 0; i < 20; ++i) {
    const auto kernel = backend->load(tests::object_artifact("count_blocks"));
    backend->launch(*kernel, {{1}, {1}}, bytes_of(params), *queue);
  }
  queue->synchronize();
  CHECK(count == 20);
}
