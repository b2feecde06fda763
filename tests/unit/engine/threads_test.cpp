// Many host threads at once: they compile, allocate, launch, copy and free on streams of their own, and on shared ones.
#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "jitc/jitc.hpp"

using namespace jitc;
using Floats = std::vector<float>;

namespace {

constexpr int kThreads = 8;
constexpr int64_t kCount = 5000;

std::string text(int factor) {
  return "from numba import cuda, vectorize\n"
         "@cuda.jit('void(f4[:], f4[:])')\n"
         "def scale(x, y):\n"
         "    i = cuda.grid(1)\n"
         "    if i < x.shape[0]:\n"
         "        y[i] = " +
         std::to_string(factor) +
         " * x[i]\n"
         "@vectorize(['f4(f4, f4)'])\n"
         "def plus(a, b):\n"
         "    return a + b\n";
}

template <class Body>
void on_threads(const Body& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { body(i); });
  for (std::thread& thread : threads) thread.join();
}

Stream stream_of(const Device& device, int thread) {
  if (thread % 4 == 3) return Stream::per_thread_default(device);
  return Stream(device, {.non_blocking = thread % 2 == 0});
}

}  // namespace

TEST_CASE("eight threads compile, allocate, launch and free on streams of their own") {
  const Device device = Device::open("cpu");
  std::atomic<int> wrong{0};
  on_threads([&](int thread) {
    const Stream stream = stream_of(device, thread);
    for (int round = 1; round <= 3; ++round) {
      const Program program = compile(text(thread + round));
      for (int i = 0; i < 20; ++i) {
        const Floats values(kCount, static_cast<float>(i));
        const Array x = device.to_device(values, stream);
        const Array y = device.empty({kCount}, f4, stream);
        program["scale"].launch({{20}, {256}, 0, stream}, x, y);
        const Array sum = program["plus"].call_on(stream, y, x);
        const Floats result = sum.to_vector<float>(stream);
        const auto expected = static_cast<float>((thread + round + 1) * i);
        wrong += result != Floats(kCount, expected) ? 1 : 0;
      }
    }
  });
  device.synchronize();
  CHECK(wrong == 0);
  CHECK(device.statistics().pending_frees == 0);
}

TEST_CASE("eight threads share one program, its cold kernels and its arrays") {
  const Device device = Device::open("cpu");
  const Program program = compile(text(2));
  const Array x = device.to_device(Floats(kCount, 1.5f));
  std::atomic<int> wrong{0};
  on_threads([&](int thread) {
    const Stream stream = stream_of(device, thread);
    for (int i = 0; i < 20; ++i) {
      const Array y = device.zeros({kCount}, f4, stream);
      program["scale"].launch({{20}, {256}, 0, stream}, x, y);
      const Array half = y.slice(0, 0, kCount, 2);
      const Array sum = i % 5 == 0 ? program["plus"](half, 1.0f) : program["plus"].call_on(stream, half, 1.0f);
      wrong += sum.to_vector<float>(stream) != Floats(kCount / 2, 4.0f) ? 1 : 0;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("eight threads hand arrays on by events, and the last handle goes on any of them") {
  const Device device = Device::open("cpu");
  const Program program = compile(text(1));
  const Stream shared(device);
  std::atomic<int> wrong{0};
  on_threads([&](int thread) {
    const Stream own = stream_of(device, thread);
    const Event ready(device), done(device);
    for (int i = 1; i <= 30; ++i) {
      auto x = std::make_shared<Array>(device.zeros({kCount}, f4, own));
      Floats result(kCount);
      Array y = program["plus"].call_on(own, *x, static_cast<float>(i));
      ready.record(own);
      shared.wait(ready);
      const Array z = program["plus"].call_on(shared, y, y);
      y = Array();
      z.copy_to_host(result, shared);
      shared.add_callback([x = std::move(x)]() mutable { x.reset(); });
      done.record(shared);
      done.synchronize();
      wrong += result != Floats(kCount, static_cast<float>(2 * i)) ? 1 : 0;
    }
  });
  device.synchronize();
  CHECK(wrong == 0);
}

TEST_CASE("failures on the streams of eight threads stay with their streams") {
  const Device device = Device::open("cpu");
  const Program program = compile(
      "from numba import cuda\n@cuda.jit('void(i4, i4[:])')\ndef store(at, out):\n    out[at] = 1\n", {.check = true});
  std::atomic<int> wrong{0};
  on_threads([&](int thread) {
    const Stream stream = stream_of(device, thread);
    const Array out = device.zeros({10}, i4, stream);
    for (int i = 0; i < 50; ++i) {
      program["store"].launch({.stream = stream}, thread % 2 == 0 ? 10 : 9, out);
      bool has_failed = false;
      try {
        stream.synchronize();
      } catch (const Error& error) { has_failed = error.code() == ErrorCode::kernel; }
      wrong += has_failed != (thread % 2 == 0) ? 1 : 0;
    }
  });
  CHECK(wrong == 0);
}
