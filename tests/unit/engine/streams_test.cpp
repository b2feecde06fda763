// Launches, calls and copies on streams of the CPU.
#include <atomic>
#include <catch2/catch.hpp>
#include <limits>
#include <thread>

#include "jitc/jitc.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gate.hpp"
#include "tests/support/host_backend.hpp"

using namespace jitc;
using tests::Gate;
using Floats = std::vector<float>;

namespace {

constexpr const char* kText = R"dsl(
from numba import cuda, vectorize

@cuda.jit("void(f4, f4[:], f4[:])")
def axpy(a, x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += a * x[i]

@cuda.jit("void(i4[:])")
def count(out):
    cuda.atomic.add(out, 0, 1)

@cuda.jit("void(i4, i4[:])")
def append(value, out):
    n = out[0] + 1
    out[n] = value
    out[0] = n

@vectorize(["f4(f4, f4)"])
def product(a, b):
    return a * b
)dsl";

const Program& program() {
  static const Program made = compile(kText);
  return made;
}

const Program& checked_program() {
  static const Program made =
      compile("from numba import cuda\n@cuda.jit('void(i4, i4[:])')\ndef store(at, out):\n    out[at] = 1\n",
              {.file_name = "store.dsl", .check = true});
  return made;
}

const std::string kStoreFailure =
    "store.dsl:4:5: index 7 is outside array 'out' (axis 0 has extent 4) in kernel 'store', thread (0,0,0) block "
    "(0,0,0)";

Floats ramp(size_t count) {
  Floats out(count);
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i);
  return out;
}

/// Work of a stream that stops there until the gate opens.
void stop_at(const Gate& gate, const Stream& stream) { stream.add_callback(gate.stop()); }

}  // namespace

TEST_CASE("launches on one stream come one after the other") {
  const Device device = Device::open("cpu");
  const Stream stream(device);
  const Array out = device.zeros({101}, i4, stream);
  for (int32_t i = 0; i < 100; ++i) program()["append"].launch({.stream = stream}, i, out);
  const std::vector<int32_t> values = out.to_vector<int32_t>(stream);
  CHECK(values[0] == 100);
  for (int32_t i = 0; i < 100; ++i) CHECK(values[static_cast<size_t>(i) + 1] == i);
}

TEST_CASE("a launch on a stream returns before it is done") {
  const Device device = Device::open("cpu");
  const Stream stream(device);
  const Array x = device.to_device(ramp(8)), y = device.zeros({8}, f4, stream);
  Floats result(8);
  stream.synchronize();
  Gate gate;
  stop_at(gate, stream);
  program()["axpy"].launch({{1}, {8}, 0, stream}, 2.0f, x, y);
  y.copy_to_host(result, stream);
  CHECK_FALSE(stream.is_done());
  CHECK(result == Floats(8));
  gate.open();
  stream.synchronize();
  CHECK(stream.is_done());
  CHECK(result == Floats{0, 2, 4, 6, 8, 10, 12, 14});
}

TEST_CASE("two streams work at once, and an event orders them") {
  const Device device = Device::open("cpu");
  const Stream first(device), second(device);
  const Array out = device.zeros({3}, i4);
  const Event event(device);
  Gate gate;
  stop_at(gate, first);
  program()["append"].launch({.stream = first}, 1, out);
  event.record(first);
  const Array other = device.zeros({2}, i4, second);
  program()["append"].launch({.stream = second}, 5, other);
  CHECK(other.to_vector<int32_t>(second) == std::vector<int32_t>{1, 5});
  event.wait(second);
  program()["append"].launch({.stream = second}, 2, out);
  CHECK_FALSE(event.is_done());
  gate.open();
  second.synchronize();
  CHECK(event.is_done());
  CHECK(out.to_vector<int32_t>() == std::vector<int32_t>{2, 1, 2});
}

TEST_CASE("the default stream sees what blocking streams were given before") {
  const Device device = Device::open("cpu");
  for (const Stream& stream : {Stream(device), Stream::per_thread_default(device)}) {
    const Array out = device.zeros({2}, i4, stream);
    program()["append"].launch({.stream = stream}, 9, out);
    CHECK(out.to_vector<int32_t>() == std::vector<int32_t>{1, 9});
    program()["append"].launch({}, 8, device.zeros({2}, i4));
    CHECK(stream.is_done());
  }
}

TEST_CASE("an array that a non-blocking stream made is used on the default stream after its making") {
  const Device device = Device::open("cpu");
  const Stream stream(device, {.non_blocking = true, .priority = -5});
  for (int round = 0; round < 20; ++round) {
    const std::vector<int32_t> values(1000, round);
    const Array out = device.to_device(values, stream);
    CHECK(out.to_vector<int32_t>() == values);
  }
}

TEST_CASE("named default streams are the default stream, and the CPU takes no streams of others") {
  const Device device = Device::open("cpu");
  const Stream legacy = Stream::legacy_default(device);
  CHECK_FALSE(legacy.is_default());
  const Array out = device.zeros({2}, i4, legacy);
  program()["append"].launch({.stream = legacy}, 3, out);
  CHECK(legacy.is_done());
  CHECK(out.to_vector<int32_t>(legacy) == std::vector<int32_t>{1, 3});
  CHECK(Stream::per_thread_default(device).queue() == Stream::per_thread_default(device).queue());
  CHECK(legacy.native_handle() == nullptr);
  CHECK_ERROR(Stream::external(device, nullptr), ErrorCode::argument,
              "the CPU has no streams of others: make one with Stream(device)");
}

TEST_CASE("events tell the time between two points of streams") {
  const Device device = Device::open("cpu");
  const Stream stream(device);
  const Event begin(device), end(device), untimed(device, {.timing = false, .blocking_sync = true});
  CHECK(begin.is_done());
  CHECK_ERROR(begin.elapsed_ms(end), ErrorCode::argument, "an event that was not recorded has no time");
  begin.record();
  program()["append"].launch({.stream = stream}, 1, device.zeros({2}, i4, stream));
  end.record(stream);
  untimed.record(stream);
  end.synchronize();
  CHECK(begin.elapsed_ms(end) >= 0);
  untimed.synchronize();
  CHECK_ERROR(untimed.elapsed_ms(end), ErrorCode::argument, "an event without timing has no time");
}

TEST_CASE("streams and events of another device are refused") {
  const Device device = Device::open("cpu");
  const auto other = std::make_shared<tests::HostBackend>("other");
  const Stream theirs = Stream::of_queue(other->make_queue({}));
  const Array x = device.zeros({2}, f4), y = device.zeros({2}, f4), n = device.zeros({2}, i4);
  const std::string where = " of device cpu cannot be used on a stream of device other";
  CHECK_ERROR(program()["axpy"].launch({.stream = theirs}, 1.0f, x, y), ErrorCode::argument,
              "kernel 'axpy' with arrays" + where);
  CHECK_ERROR(program()["product"].call_on(theirs, x, y), ErrorCode::argument, "ufunc 'product' with arrays" + where);
  CHECK_ERROR(program()["append"].prepare({}, 1, n).run(theirs), ErrorCode::argument,
              "a launch that was prepared for arrays" + where);
  CHECK_ERROR(Event(device).record(theirs), ErrorCode::argument, "an event" + where);
}

TEST_CASE("a ufunc is called on a stream, which its result belongs to") {
  const Device device = Device::open("cpu");
  const Stream stream(device, {.non_blocking = true});
  const Array a = device.to_device(ramp(6), {2, 3});
  Gate gate;
  stop_at(gate, stream);
  const Array squared = program()["product"].call_on(stream, a, a.slice(0, 0, 2));
  const Array by_columns = program()["product"].call_on(stream, a.transpose(), 2.0f);
  const Array out = device.empty({2, 3}, f4, stream);
  program()["product"].call_into_on(stream, out, a, squared);
  CHECK_FALSE(stream.is_done());
  gate.open();
  CHECK(squared.to_vector<float>(stream) == Floats{0, 1, 4, 9, 16, 25});
  CHECK(by_columns.to_vector<float>(stream) == Floats{0, 6, 2, 8, 4, 10});
  CHECK(out.to_vector<float>(stream) == Floats{0, 1, 8, 27, 64, 125});
}

TEST_CASE("a result on a stream that lies over its arguments is what copies would give") {
  const Device device = Device::open("cpu");
  const Stream stream(device);
  const Array a = device.to_device(ramp(6));
  program()["product"].call_into_on(stream, a.slice(0, 5, -7, -1), a, 10.0f);
  CHECK(a.to_vector<float>(stream) == Floats{50, 40, 30, 20, 10, 0});
}

TEST_CASE("a prepared launch runs any number of times, on its stream or another, from several threads") {
  const Device device = Device::open("cpu");
  const Array out = device.zeros({1}, i4);
  const PreparedLaunch prepared = program()["count"].prepare({{10}, {10}}, out);
  prepared.run();
  CHECK(out.to_vector<int32_t>() == std::vector<int32_t>{100});
  std::vector<std::thread> hosts;
  for (int host = 0; host < 4; ++host) {
    hosts.emplace_back([&, host] {
      const Stream own(device, {.non_blocking = host % 2 == 0});
      for (int i = 0; i < 50; ++i) host == 3 ? prepared.run() : prepared.run(own);
      own.synchronize();
    });
  }
  for (std::thread& host : hosts) host.join();
  CHECK(out.to_vector<int32_t>() == std::vector<int32_t>{20100});
}

TEST_CASE("a prepared launch keeps its program and its arrays alive, and so does its queued work") {
  const Device device = Device::open("cpu");
  const Stream stream(device, {.non_blocking = true});
  Floats result(1000);
  Gate gate;
  stop_at(gate, stream);
  {
    const Program own = compile(kText);
    const Array x = device.to_device(ramp(1000)), y = device.zeros({1000}, f4, stream);
    const PreparedLaunch prepared = own["axpy"].prepare({{4}, {256}, 0, stream}, 1.0f, x, y);
    prepared.run();
    prepared.run();
    y.copy_to_host(result, stream);
  }
  gate.open();
  stream.synchronize();
  Floats expected = ramp(1000);
  for (float& value : expected) value *= 2;
  CHECK(result == expected);
}

TEST_CASE("an array that many streams have used since is still freed behind its prepared launch") {
  const Device device = Device::open("cpu");
  const Stream stream(device, {.non_blocking = true});
  Gate gate;
  {
    const Array out = device.zeros({1}, i4);
    const PreparedLaunch prepared = program()["count"].prepare({.stream = stream}, out);
    std::vector<Stream> others;
    for (int i = 0; i < 20; ++i) {
      const Stream& other = others.emplace_back(device);
      CHECK(out.to_vector<int32_t>(other) == std::vector<int32_t>{0});
    }
    stop_at(gate, stream);
    prepared.run();
  }
  CHECK(device.statistics().pending_frees == 1);
  gate.open();
  stream.synchronize();
  CHECK(device.statistics().pending_frees == 0);
}

TEST_CASE("arrays and kernels may go while a stream still works with them") {
  const Device device = Device::open("cpu");
  const Stream home(device), other(device, {.non_blocking = true});
  const uint64_t live_bytes = device.statistics().live_bytes;
  const Floats values = ramp(500);
  std::vector<Floats> results(20, Floats(500));
  Gate gate;
  stop_at(gate, other);
  for (Floats& result : results) {
    const Program own = compile(kText);
    const Array x = device.to_device(values, home), y = device.zeros({500}, f4, home);
    own["axpy"].launch({{2}, {256}, 0, other}, 3.0f, x, y);
    own["product"].call_on(other, y, y).copy_to_host(result, other);
  }
  CHECK(device.statistics().live_bytes == live_bytes);
  CHECK(device.statistics().pending_frees > 0);
  gate.open();
  other.synchronize();
  for (const Floats& result : results) CHECK(result[499] == 1497.0f * 1497.0f);
  device.synchronize();
  CHECK(device.statistics().pending_frees == 0);
  CHECK(device.statistics().pending_bytes == 0);
}

TEST_CASE("a checked kernel that fails on a stream is told by the next wait, once") {
  const Device device = Device::open("cpu");
  const Function store = checked_program()["store"];
  const Array out = device.zeros({4}, i4);
  const Stream stream(device);
  const Event event(device);
  const auto fail_and_go_on = [&] {
    store.launch({.stream = stream}, 7, out);
    store.launch({.stream = stream}, 2, out);
    event.record(stream);
  };
  fail_and_go_on();
  CHECK_ERROR(stream.synchronize(), ErrorCode::kernel, kStoreFailure);
  CHECK(out.to_vector<int32_t>() == std::vector<int32_t>{0, 0, 1, 0});
  CHECK_NOTHROW(stream.synchronize());
  fail_and_go_on();
  CHECK_ERROR(event.synchronize(), ErrorCode::kernel, kStoreFailure);
  CHECK_NOTHROW(stream.synchronize());
  fail_and_go_on();
  CHECK_ERROR(device.synchronize(), ErrorCode::kernel, kStoreFailure);
  CHECK_NOTHROW(device.synchronize());
  CHECK_ERROR(store.launch({}, 7, out), ErrorCode::kernel, kStoreFailure);
  CHECK_NOTHROW(device.synchronize());
}

TEST_CASE("what an event's wait throws leaves the failures of later launches to the next wait") {
  const Device device = Device::open("cpu");
  const Function store = checked_program()["store"];
  const Array first = device.zeros({4}, i4), second = device.zeros({4}, i4);
  const Stream stream(device);
  const Event event(device);
  store.launch({.stream = stream}, 7, first);
  event.record(stream);
  store.launch({.stream = stream}, 7, second);
  while (!stream.is_done()) std::this_thread::yield();
  CHECK_ERROR(event.synchronize(), ErrorCode::kernel, kStoreFailure);
  CHECK_ERROR(stream.synchronize(), ErrorCode::kernel, kStoreFailure);
  CHECK_NOTHROW(device.synchronize());
}

TEST_CASE("what a callback throws comes out of synchronize()") {
  const Device device = Device::open("cpu");
  const Stream stream(device);
  stream.add_callback([] { throw std::runtime_error("of the user"); });
  CHECK_THROWS_WITH(stream.synchronize(), "of the user");
}

TEST_CASE("a callback that uses the device is refused before anything is queued") {
  const Device device = Device::open("cpu");
  const Stream stream(device), other(device);
  const Array a = device.zeros({2}, f4), hits = device.zeros({1}, i4);
  const Function count = program()["count"], product = program()["product"];
  const PreparedLaunch prepared = count.prepare({.stream = other}, hits);
  std::vector<int32_t> host_hits{0};
  const auto check_refused = [&](const std::function<void()>& use) {
    const uint64_t launches = device.statistics().launches;
    stream.add_callback(use);
    CHECK_ERROR(stream.synchronize(), ErrorCode::argument,
                "cpu cannot be used in a function that a stream calls: it must not use jitc");
    device.synchronize();
    CHECK(device.statistics().launches == launches);
  };
  for (const Stream& to : {Stream(), stream, other}) {
    check_refused([&] { a.to_vector<float>(to); });
    check_refused([&] { device.zeros({2}, f4, to); });
    check_refused([&] { count.launch({.stream = to}, hits); });
    check_refused([&] { count.launch({.stream = to}, in_out(host_hits)); });
    check_refused([&] { product.call_on(to, a, a); });
    check_refused([&] { prepared.run(to); });
  }
  check_refused([&] { Stream{device}; });
  CHECK(host_hits == std::vector<int32_t>{0});
  CHECK(hits.to_vector<int32_t>() == std::vector<int32_t>{0});
}

TEST_CASE("forall covers its threads in whole blocks") {
  const Device device = Device::open("cpu");
  const Stream stream(device);
  for (const int64_t count : {1, 31, 256, 257, 1000}) {
    const Array x = device.to_device(ramp(static_cast<size_t>(count))), y = device.zeros({count}, f4);
    program()["axpy"].forall(count, 1.0f, x, y);
    program()["axpy"].forall({.count = count, .block = 32, .stream = stream}, 1.0f, x, y);
    const Floats result = y.to_vector<float>(stream);
    CHECK(result.back() == 2.0f * static_cast<float>(count - 1));
  }
  const Array hits = device.zeros({1}, i4);
  program()["count"].forall({.count = 100, .block = 32}, hits);
  CHECK(hits.to_vector<int32_t>() == std::vector<int32_t>{128});
}

TEST_CASE("forall of no threads checks its arguments and launches nothing") {
  const Device device = Device::open("cpu");
  const Array x = device.zeros({2}, f4), hits = device.zeros({1}, i4);
  const uint64_t launches = device.statistics().launches;
  program()["count"].forall(0, hits);
  CHECK(device.statistics().launches == launches);
  CHECK(hits.to_vector<int32_t>() == std::vector<int32_t>{0});
  CHECK(tests::error_of([&] { program()["count"].forall(0, x); }).code == ErrorCode::argument);
}

TEST_CASE("forall refuses fewer threads than none, and more than a launch has") {
  const Device device = Device::open("cpu");
  const Array hits = device.zeros({1}, i4);
  const Function count = program()["count"];
  CHECK_ERROR(count.forall(-1, hits), ErrorCode::launch, "kernel 'count' cannot run for -1 threads");
  CHECK_ERROR(count.forall({.count = (int64_t{1} << 36), .block = 32}, hits), ErrorCode::launch,
              "kernel 'count': 68719476736 threads in blocks of 32 are more than one launch has");
  CHECK(tests::error_of([&] { count.forall(std::numeric_limits<int64_t>::max(), hits); }).code == ErrorCode::launch);
  CHECK(tests::error_of([&] { count.forall({.count = 10, .block = 2048}, hits); }).code == ErrorCode::launch);
  CHECK(hits.to_vector<int32_t>() == std::vector<int32_t>{0});
}
