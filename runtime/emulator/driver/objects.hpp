// What stands behind the handles of the driver. All is guarded by the lock of state.hpp.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/emulator/driver/calls.hpp"
#include "runtime/emulator/driver/device_model.hpp"
#include "runtime/emulator/exec/linked_program.hpp"
#include "runtime/emulator/memory/address_space.hpp"
#include "runtime/emulator/program/load_module.hpp"

namespace jitc::emulator::driver {

struct Stream;
struct Graph;
using StreamPtr = std::shared_ptr<Stream>;

/// The work of a stream up to this number.
struct Mark {
  StreamPtr stream;
  uint64_t number = 0;
};

/// A piece of work. `run` is called without the lock, on the stream's thread, with the code that broke the context or
/// success; what it returns breaks the context.
struct Work {
  std::function<CUresult(CUresult context_state)> run;
  bool runs_in_broken_context = false;
  std::vector<Mark> after;
};

/// A device's primary context; there is no other.
struct Context {
  CUcontext handle = nullptr;
  DeviceModel device;
  unsigned flags = 0;
  unsigned retain_count = 0;
  bool is_active = false;
  CUresult state = CUDA_SUCCESS;  // or the code that broke it
  std::map<CUlimit, size_t> limits;
  StreamPtr legacy_stream;  // null until it is used
  std::map<std::thread::id, StreamPtr> thread_streams;
  std::vector<StreamPtr> streams;  // all that are there or still have work
  CUmemoryPool default_pool = nullptr;
  uint64_t plain_bytes = 0;  // allocated, not of pools
};

struct Stream {
  Context* context = nullptr;
  bool is_created = false;  // not one of the context's own
  bool is_destroyed = false;
  bool has_thread = false;
  unsigned flags = 0;
  int priority = 0;
  std::deque<Work> queue;
  std::condition_variable changed;  // the queue has work, or the stream is destroyed: its thread waits for that alone
  uint64_t submitted = 0, finished = 0;  // work, counted
  std::vector<Mark> waits;               // what the next work comes after
  std::shared_ptr<Graph> capture;
};

struct Event {
  Context* context = nullptr;
  unsigned flags = 0;
  Mark mark;  // without a stream: never recorded
  std::chrono::steady_clock::time_point time;
  std::shared_ptr<Graph> capture;
};

/// A module in memory. Its kernels, and the work that runs them, keep it.
struct LoadedCode {
  Context* context = nullptr;
  LoadedModule module;
  AllocationPtr global, constant;  // null where it has none
};

struct Kernel {
  std::shared_ptr<const LoadedCode> code;
  const Program* program = nullptr;
  LinkedProgram linked;
  std::map<CUfunction_attribute, int> attributes;  // those that were set
};

struct CodeModule {
  std::shared_ptr<LoadedCode> code;
  std::map<std::string, CUfunction, std::less<>> kernels;
};

struct Pool {
  int device = 0;
  bool is_default = false;
  uint64_t threshold_bytes = 0;  // kept at a synchronisation
  uint64_t reserved_bytes = 0, reserved_high_bytes = 0;
  uint64_t used_bytes = 0, used_high_bytes = 0;
  std::map<CUmemPool_attribute, int> switches;
};

/// The work that a capture kept from its streams, in the order in which it came.
struct Graph {
  StreamPtr origin;  // null: the capture has ended
  bool is_invalid = false;
  std::vector<Work> works;
};

struct LinkJob {
  Context* context = nullptr;
  std::string text;
};

}  // namespace jitc::emulator::driver
