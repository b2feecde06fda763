// All that the library knows, behind one lock.
#pragma once

#include <array>
#include <condition_variable>
#include <mutex>
#include <unordered_set>

#include "runtime/emulator/counters/counters.hpp"
#include "runtime/emulator/driver/handle_table.hpp"
#include "runtime/emulator/driver/objects.hpp"
#include "runtime/emulator/driver/settings.hpp"

namespace jitc::emulator::driver {

struct State {
  std::mutex mutex;  // guards all below but `memory`, which has its own
  std::condition_variable work_done;
  Settings settings;
  std::array<uint64_t, 128> call_counts = {};
  bool is_initialised = false;
  AddressSpace memory;
  std::deque<Context> contexts;  // by device
  HandleTable<CUstream, Stream> streams{1};
  HandleTable<CUevent, Event> events{2};
  HandleTable<CUmodule, CodeModule> modules{3};
  HandleTable<CUfunction, Kernel> kernels{4};
  HandleTable<CUmemoryPool, Pool> pools{5};
  HandleTable<CUgraph, Graph> graphs{6};
  HandleTable<CUgraphExec, const Graph> graph_execs{7};
  HandleTable<CUlinkState, LinkJob> links{8};
  HandleTable<CUcontext, Context> context_handles{9};
  std::vector<std::weak_ptr<Pool>> all_pools;           // destroyed ones too, while memory of theirs is used
  std::unordered_set<std::thread::id> working_threads;  // those of streams
  bool is_counting = false;                             // launches that begin now
  Counters counters;                                    // of all counted launches that have ended
  std::string report;                                   // of the last fault or refusal, for people
};

/// The one state of this library; made from the environment by the first call, never destroyed: threads may still run
/// at the end of the process.
State& state();

/// Null where there is no such device.
Context* find_context(CUdevice device);
/// Of the calling thread; null when there is none.
Context* current_context();

/// With the lock held: lets it go until the condition holds.
template <class Condition>
void wait_until(const Condition& condition) {
  std::unique_lock lock(state().mutex, std::adopt_lock);
  state().work_done.wait(lock, condition);
  lock.release();
}

/// Keeps a sentence about what went wrong, which a code alone does not tell. Returns the code.
CUresult report(CUresult code, std::string text);

/// The contexts that a thread pushed, the current one last. Without a destructor: static objects call the driver after
/// the end of their thread's own.
class ContextStack {
 public:
  bool empty() const { return size_ == 0; }
  bool is_full() const { return size_ == contexts_.size(); }
  Context* back() const { return contexts_[size_ - 1]; }
  void push_back(Context* context) { contexts_[size_++] = context; }
  void pop_back() { --size_; }

 private:
  std::array<Context*, 256> contexts_ = {};
  size_t size_ = 0;
};

ContextStack& context_stack();

}  // namespace jitc::emulator::driver
