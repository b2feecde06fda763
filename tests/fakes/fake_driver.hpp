// How a test poses, scripts and examines libfake_cuda.so, a CUDA driver without a device. Nothing here needs the driver
// layer of the runtime: a test loads the same library through that layer and through FakeDriver.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/cuda/driver_abi.hpp"

namespace jitc::tests {

/// A device that the fake shows.
struct FakeDevice {
  std::string name = "Fake GPU";
  int sm = 80;                            ///< compute capability, 10 * major + minor
  size_t memory_bytes = size_t{8} << 30;  ///< more than this is out of memory
  int multiprocessors = 16;
  int shared_optin_bytes = 101376;  ///< most shared memory of a block, on demand
  bool has_pools = true;
  bool has_cooperative_launch = true;
  bool has_managed_memory = true;
  std::map<int, int> attributes;  ///< CUdevice_attribute → value, instead of what follows from the above
};

/// What the fake pretends to be.
struct FakePose {
  int driver_version = 0;  ///< 1000 * major + 10 * minor; 0: the newest whose functions the library has
  std::vector<FakeDevice> devices = {FakeDevice{}};
};

/// How long a scripted code lasts.
enum class FakeLasting : uint8_t {
  as_the_driver,  ///< codes that break a context are returned by every later call in it, others once
  once,           ///< this call only, whatever the code
  forever,        ///< this call of this function and every later one
};

/// The `nth` call of `function` from now on returns `code` and does nothing else.
struct FakeScript {
  std::string function;  ///< "cuMemAlloc_v2", or "*" for any function
  uint64_t nth = 1;
  int code = 0;
  FakeLasting lasting = FakeLasting::as_the_driver;
  std::string log;  ///< calls that take a JIT log: what they write into it
};

/// What exists: all zero when nothing leaked.
struct FakeLive {
  size_t allocations = 0;  ///< device memory: plain, pooled, managed
  size_t bytes = 0;        ///< of these
  size_t pinned = 0;       ///< allocations of host memory
  size_t registered = 0;
  size_t pools = 0;  ///< created ones
  size_t streams = 0;
  size_t events = 0;
  size_t modules = 0;
  size_t graphs = 0;  ///< and executable ones
  size_t links = 0;
  size_t contexts = 0;  ///< times that primary contexts are retained
  bool operator==(const FakeLive&) const = default;
};

/// One call of the log.
struct FakeCall {
  std::string function;
  int code = 0;
};

/// One kernel launch.
struct FakeLaunch {
  std::string entry;
  int device = 0;
  unsigned grid[3] = {}, block[3] = {};
  unsigned shared_bytes = 0;
  runtime::cuda::CUstream stream = nullptr;  ///< as passed
  bool is_cooperative = false;
  std::vector<std::byte> params;        ///< the parameter block, laid out as PTX does
  std::vector<uint32_t> param_offsets;  ///< into it, one per parameter
};

/// Stands for the kernel: runs when the launch's turn comes. A code other than 0 is what the kernel broke its context
/// with. It must not call the driver, nor throw.
using FakeKernel = std::function<int(const FakeLaunch&)>;

/// The library's control functions, by dlsym("jitc_fake_driver"). All are safe from several threads.
struct FakeControl {
  /// Forgets all objects, counts, calls, misuses and the script, and takes pose and script from the environment again.
  void (*reset)();
  /// reset(), then this pose.
  void (*pose)(const FakePose& pose);
  void (*script)(const FakeScript& script);
  /// Calls of a function since the reset, scripted ones included; all calls for "*".
  uint64_t (*count)(const std::string& function);
  /// The last 65536 calls, oldest first.
  std::vector<FakeCall> (*calls)();
  FakeLive (*live)();
  /// What a caller must never do, in words: double frees, copies past an allocation, work on freed memory …
  std::vector<std::string> (*misuses)();
  /// The last 4096 launches that were accepted, oldest first.
  std::vector<FakeLaunch> (*launches)();
  void (*set_kernel)(FakeKernel kernel);
  /// An attribute of every function of this name that modules will define; "" stands for all names.
  void (*set_function_attribute)(const std::string& entry, runtime::cuda::CUfunction_attribute attribute, int value);
  /// From now on work waits on its stream until someone synchronises with it, or release(), which does all of it.
  void (*hold)();
  void (*release)();
  /// Pieces of work that wait.
  size_t (*pending)();
  /// The device's primary context is broken, as by a kernel that failed.
  void (*break_context)(int device, int code);
  /// Contexts on the calling thread's stack.
  size_t (*context_depth)();
};

/// The control functions of a library, reset at both ends of its life.
class FakeDriver {
 public:
  explicit FakeDriver(const char* library) : control_(load(library)) { control_->reset(); }
  ~FakeDriver() { control_->reset(); }
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  const FakeControl* operator->() const { return control_; }

 private:
  static const FakeControl* load(const char* library) {
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void* entry = handle == nullptr ? nullptr : dlsym(handle, "jitc_fake_driver");
    if (entry == nullptr) throw std::runtime_error(std::string("no fake driver at ") + library);
    return reinterpret_cast<const FakeControl* (*)()>(entry)();
  }

  const FakeControl* control_;
};

}  // namespace jitc::tests
