// Processes that end with CUDA work, static handles and busy threads: `exit_program <scenario>` ends with 0 when all
// went as it should. The driver is the fake; run by exit_test.cpp.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "jitc/array.hpp"
#include "jitc/stream.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/cuda/cuda_devices.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/unit/runtime_cuda/fill_kernels.hpp"

using namespace jitc;

namespace {

std::shared_ptr<runtime::Backend> device() { return runtime::cuda::open_device(0); }

const tests::FakeControl* fake() {
  static void* const library = dlopen(JITC_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<const tests::FakeControl* (*)()>(dlsym(library, "jitc_fake_driver"))();
}

/// Made first, so that it is destroyed last: no one did what must not be done.
struct Verdict {
  ~Verdict() {
    for (const std::string& misuse : fake()->misuses()) std::fprintf(stderr, "%s\n", misuse.c_str());
    if (!fake()->misuses().empty()) _exit(1);
  }
} verdict;

struct Handles {
  Stream stream;
  std::vector<Array> arrays;
  std::shared_ptr<runtime::Marker> marker;
  std::shared_ptr<runtime::LoadedKernel> kernel;
};
Handles early;

/// With more arrays than frees are kept.
Handles make_handles() {
  const auto queue = device()->make_queue({});
  Handles out{Stream::of_queue(queue), {}, device()->make_marker({}), device()->load(tests::fill_artifact())};
  for (int i = 0; i < 20; ++i) out.arrays.push_back(runtime::make_array(device(), {100}, DType::i4, queue));
  for (const Array& array : out.arrays) {
    device()->fill_zero(array.data(), 400, *queue);
    device()->launch(*out.kernel, {}, tests::fill_params(100, array, 1), *queue);
  }
  out.marker->record(*queue);
  return out;
}

void static_handles() {
  early = make_handles();
  static const Handles late = make_handles();
}

void work_in_flight() {
  fake()->hold();
  static_handles();
}

/// As a driver whose own end came first.
void driver_gone() {
  static_handles();
  std::atexit([] { fake()->script({.function = "*", .code = 4}); });
}

void broken_context() {
  static_handles();
  fake()->break_context(0, 700);
}

void exit_elsewhere() {
  early = make_handles();
  const Handles own = make_handles();
  fake()->set_kernel([](const tests::FakeLaunch&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return 0;
  });
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::exit(0);
  }).detach();
  for (;;) device()->launch(*own.kernel, {}, tests::fill_params(100, own.arrays[0], 1), *own.stream.queue());
}

void threads_at_work() {
  static std::atomic<int> begun = 0;
  for (int i = 0; i < 3; ++i) {
    std::thread([] {
      for (;;) {
        const Handles handles = make_handles();
        handles.stream.synchronize();
        ++begun;
      }
    }).detach();
  }
  while (begun < 3) std::this_thread::yield();
}

/// Uses the device when everyone else is gone.
struct Latecomer {
  ~Latecomer() {
    const Handles handles = make_handles();
    handles.stream.synchronize();
    device()->per_thread_queue()->synchronize();
  }
};

void work_in_a_destructor() {
  static const Latecomer latecomer;
  make_handles();
  device()->per_thread_queue()->synchronize();
}

constexpr tests::Scenario kScenarios[] = {{"static_handles", static_handles},
                                          {"work_in_flight", work_in_flight},
                                          {"driver_gone", driver_gone},
                                          {"broken_context", broken_context},
                                          {"exit_elsewhere", exit_elsewhere},
                                          {"threads_at_work", threads_at_work},
                                          {"work_in_a_destructor", work_in_a_destructor}};

}  // namespace

int main(int argc, char** argv) {
  setenv("JITC_CUDA_DRIVER", JITC_FAKE_CUDA, 1);
  return tests::run_scenario(argc, argv, kScenarios);
}
