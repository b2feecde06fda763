// All that the fake knows, behind one lock.
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/fakes/fake_driver.hpp"
#include "tests/fakes/memory.hpp"
#include "tests/fakes/objects.hpp"
#include "tests/fakes/recorder.hpp"

namespace jitc::tests::fake {

/// Everything but the lock and cuInit goes with a reset.
struct World {
  FakePose pose;
  Recorder recorder;
  CUresult driver_state = CUDA_SUCCESS;  // or the code that ended it
  std::vector<std::unique_ptr<CUctx_st>> contexts;
  Memory memory;
  Store<CUstream_st> streams;
  Store<CUevent_st> events;
  Store<CUmod_st> modules;
  Store<CUfunc_st> functions;
  Store<CUmemPoolHandle_st> pools;
  std::vector<CUmemoryPool> default_pools;  // one per device
  Store<CUgraph_st> graphs;
  Store<CUgraphExec_st> graph_execs;
  Store<CUlinkState_st> links;
  std::deque<FakeLaunch> launches;
  FakeKernel kernel;
  std::map<std::string, std::map<CUfunction_attribute, int>> function_attributes;
  bool is_holding = false;
  uint64_t last_work = 0;
  double clock_ms = 0;
};

struct State {
  std::mutex mutex;  // guards all below
  std::condition_variable work_done;
  std::optional<ScriptedAnswer> scripted_log;
  bool is_initialised = false;
  uint64_t resets = 0;
  World world;
};

/// The one state of this library; made from the environment by the first call, never destroyed.
State& state();
inline World& world() { return state().world; }

/// With the lock held.
void reset_world(const FakePose& pose);

/// The newest driver version whose functions this library exports.
extern const int kNewestDriverVersion;

/// Null where there is no such device.
const FakeDevice* find_device(CUdevice device);

/// Notes what a caller must never do: "<the function that is called>: <text>".
void misuse(Function function, const std::string& text);

/// The script's answer to the call that is being made, when that call writes the answer's log.
void set_scripted_log(const ScriptedAnswer& answer);
std::optional<ScriptedAnswer> take_scripted_log();

/// The contexts that a thread pushed, the current one last. Without a destructor: static objects call the driver after
/// the end of their thread's own.
class ContextStack {
 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  CUcontext back() const { return contexts_[size_ - 1]; }
  void push_back(CUcontext context) { contexts_.at(size_++) = context; }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

 private:
  std::array<CUcontext, 256> contexts_ = {};
  size_t size_ = 0;
};

/// Of the calling thread; empty after a reset.
ContextStack& context_stack();
/// Null when there is none.
CUcontext current_context();

}  // namespace jitc::tests::fake
