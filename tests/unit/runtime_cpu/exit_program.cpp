// Processes that end with queued work, static objects and busy threads: `exit_program <scenario>` ends with 0 when all
// went as it should. Run by exit_test.cpp.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>
#include <vector>

#include "jitc/array.hpp"
#include "jitc/stream.hpp"
#include "runtime/common/buffer.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/unit/runtime_cpu/objects.hpp"

using namespace jitc;
using runtime::cpu::cpu_backend;

namespace {

std::atomic<bool> is_expected{false};  // the end came as the scenario says
std::atomic<bool> has_finished{false}, has_run_dropped{false};

/// Made first, so that it is destroyed last.
struct Verdict {
  ~Verdict() { _exit(is_expected ? 0 : 1); }
} verdict;

// Destroyed after the backend's end of work: they were made before it.
struct Handles {
  Stream stream;
  Array array;
  std::shared_ptr<runtime::Marker> marker;
  std::shared_ptr<runtime::LoadedKernel> kernel;
};
Handles early;

Handles make_handles() {
  const auto queue = cpu_backend()->make_queue({});
  Handles out{Stream::of_queue(queue), runtime::make_array(cpu_backend(), {1000}, u4, queue),
              cpu_backend()->make_marker({}), cpu_backend()->load(tests::object_artifact("count_blocks"))};
  cpu_backend()->fill_zero(out.array.data(), 4000, *queue);
  return out;
}

void launch(const Handles& handles) {
  const void* params = handles.array.data();
  handles.array.buffer()->use_on(handles.stream.queue());
  cpu_backend()->launch(*handles.kernel, {{1000}, {1}}, std::as_bytes(std::span(&params, 1)), *handles.stream.queue());
  handles.marker->record(*handles.stream.queue());
}

/// Gives a stream work that runs for a while, and more that waits; returns when the first has begun.
void make_busy(const Stream& stream) {
  auto has_begun = std::make_shared<std::promise<void>>();
  stream.add_callback([has_begun] {
    has_begun->set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    has_finished = true;
  });
  stream.add_callback([] { has_run_dropped = true; });
  has_begun->get_future().wait();
}

// Every thread that is still there is idle.
void idle() {
  early = make_handles();
  static const Handles late = make_handles();
  launch(early);
  launch(late);
  early.stream.synchronize();
  late.stream.synchronize();
  is_expected = true;
}

/// Checked when static objects go: what ran has finished, what waited was dropped.
struct CheckDropped {
  ~CheckDropped() { is_expected = has_finished && !has_run_dropped; }
};

void busy() {
  static const CheckDropped check;
  early = make_handles();
  static const Handles late = make_handles();
  make_busy(early.stream);
  launch(early);
  late.stream.queue()->wait(*early.marker);
  launch(late);
}

void exit_elsewhere() {
  static const CheckDropped check;
  early = make_handles();
  make_busy(early.stream);
  const Stream own = early.stream;  // the static one goes while this thread waits
  std::thread([] { std::exit(0); }).detach();
  own.synchronize();
  for (;;) pause();
}

void exit_in_callback() {
  static const CheckDropped check;
  early = make_handles();
  static const Handles other = make_handles();
  make_busy(other.stream);
  const Stream own = early.stream;
  own.add_callback([] { std::exit(0); });
  own.synchronize();
  for (;;) pause();
}

/// Uses the device when everyone else is gone.
struct Latecomer {
  ~Latecomer() {
    const Handles handles = make_handles();
    std::vector<uint32_t> counts(1000);
    launch(handles);
    handles.array.copy_to_host(counts, handles.stream);
    handles.stream.synchronize();
    const bool is_default_right = handles.array.to_vector<uint32_t>() == counts;
    is_expected = counts == std::vector<uint32_t>(1000, 1) && is_default_right && handles.marker->is_done();
  }
};

void work_in_a_destructor() {
  static const Latecomer latecomer;
  make_busy(make_handles().stream);
}

/// Works on the thread that launches it, in memory that the thread keeps.
std::shared_ptr<runtime::LoadedKernel> load_scratch_kernel() {
  Artifact artifact = tests::object_artifact("count_blocks_in_scratch");
  artifact.cooperative = true;
  artifact.cpu_scratch_bytes = 4096;
  return cpu_backend()->load(artifact);
}

/// Uses its thread's own queue, and memory that a thread keeps for kernels, when those of the thread are gone.
struct LateInThread {
  ~LateInThread() {
    const auto kernel = load_scratch_kernel();
    std::vector<uint32_t> counts(1000), again(1000);
    for (std::vector<uint32_t>* to : {&counts, &again}) {
      const void* params = to->data();
      cpu_backend()->launch(*kernel, {{1000}, {1}}, std::as_bytes(std::span(&params, 1)),
                            *cpu_backend()->per_thread_queue());
      cpu_backend()->per_thread_queue()->synchronize();
    }
    is_expected = counts == std::vector<uint32_t>(1000, 1) && again == counts;
  }
};

/// The thread's own queue has work, and the thread keeps memory, before they end.
void use_own_queue() {
  const Handles handles = make_handles();
  handles.array.buffer()->use_on(cpu_backend()->per_thread_queue());
  const auto kernel = load_scratch_kernel();
  const void* params = handles.array.data();
  cpu_backend()->launch(*kernel, {{1000}, {1}}, std::as_bytes(std::span(&params, 1)),
                        *cpu_backend()->per_thread_queue());
  cpu_backend()->launch(*kernel, {{1000}, {1}}, std::as_bytes(std::span(&params, 1)), *cpu_backend()->default_queue());
}

void own_queue_in_a_static_destructor() {
  static const LateInThread late;
  use_own_queue();
}

void own_queue_in_a_thread_local_destructor() {
  std::thread([] {
    thread_local const LateInThread late;
    static_cast<void>(late);
    use_own_queue();
  }).join();
}

void threads_at_work() {
  for (int i = 0; i < 3; ++i) {
    std::thread([i] {
      const Handles handles = make_handles();
      const void* params = handles.array.data();
      for (;;) {
        launch(handles);
        if (i == 0) handles.stream.synchronize();
        cpu_backend()->launch(*handles.kernel, {{1000}, {1}}, std::as_bytes(std::span(&params, 1)),
                              *cpu_backend()->default_queue());
        has_finished = true;
      }
    }).detach();
  }
  while (!has_finished) std::this_thread::yield();
  is_expected = true;
}

void default_work_at_exit() {
  cpu_backend()->default_queue()->call([] {
    is_expected = true;
    std::exit(0);
  });
}

constexpr tests::Scenario kScenarios[] = {
    {"idle", idle},
    {"busy", busy},
    {"exit_elsewhere", exit_elsewhere},
    {"exit_in_callback", exit_in_callback},
    {"work_in_a_destructor", work_in_a_destructor},
    {"own_queue_in_a_static_destructor", own_queue_in_a_static_destructor},
    {"own_queue_in_a_thread_local_destructor", own_queue_in_a_thread_local_destructor},
    {"threads_at_work", threads_at_work},
    {"default_work_at_exit", default_work_at_exit}};

}  // namespace

int main(int argc, char** argv) { return tests::run_scenario(argc, argv, kScenarios); }
