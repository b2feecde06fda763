// What stands behind the handles of the driver.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "tests/fakes/functions.hpp"
#include "tests/fakes/ptx_text.hpp"

namespace jitc::tests::fake {

enum class MemoryKind : uint8_t { device, pooled, managed, pinned, registered, global };

/// A range of addresses that the driver knows. Device memory is host memory, so a device address is a host address.
struct Allocation {
  uintptr_t base = 0;
  size_t size_bytes = 0;
  MemoryKind kind = MemoryKind::device;
  CUcontext context = nullptr;
  CUmemoryPool pool = nullptr;
  bool is_freed = false;
  bool is_free_queued = false;  // by cuMemFreeAsync, whose turn on its stream may not have come
  CUstream born_on = nullptr;   // by cuMemAllocAsync: the work that gives the memory
  uint64_t born_number = 0;
};
using AllocationPtr = std::shared_ptr<Allocation>;

/// Per stream the number of the last piece of its work that comes before something.
using Clock = std::map<CUstream, uint64_t>;

/// A piece of work of a stream.
struct Work {
  Function function;  // that asked for it
  std::vector<AllocationPtr> uses;
  std::function<void(CUresult context_state)> run;
  bool runs_in_broken_context = false;
  bool takes_time = true;
  uint64_t number = 0;  // counts over all streams
  Clock after;
};

/// The live objects of a kind. The dead stay in memory until the reset, so that no handle comes twice.
template <class T>
class Store {
 public:
  T* add() {
    all_.push_back(std::make_unique<T>());
    alive_.insert(all_.back().get());
    return all_.back().get();
  }
  bool holds(const T* object) const { return alive_.count(object) != 0; }
  void remove(const T* object) { alive_.erase(object); }
  template <class Condition>
  void remove_if(const Condition& condition) {
    for (const auto& object : all_) {
      if (condition(*object)) alive_.erase(object.get());
    }
  }
  size_t size() const { return alive_.size(); }
  /// The dead among them.
  const std::deque<std::unique_ptr<T>>& all() const { return all_; }
  void clear() {
    alive_.clear();
    all_.clear();
  }

 private:
  std::unordered_set<const T*> alive_;
  std::deque<std::unique_ptr<T>> all_;
};

}  // namespace jitc::tests::fake

// The driver's header leaves these types open.
namespace jitc::runtime::cuda {

namespace fake = tests::fake;

/// A device's primary context; there is no other.
struct CUctx_st {
  int device = 0;
  unsigned flags = 0;
  unsigned retain_count = 0;
  bool is_active = false;
  CUresult state = CUDA_SUCCESS;  // or the code that broke it
  std::map<CUlimit, size_t> limits;
  CUstream legacy_stream = nullptr;
  std::map<std::thread::id, CUstream> thread_streams;
};

struct CUstream_st {
  CUcontext context = nullptr;
  bool is_created = false;  // not one of the context's own
  unsigned flags = 0;
  int priority = 0;
  std::deque<fake::Work> queue;
  uint64_t running = 0;  // number of the work that a thread does without the lock
  uint64_t last = 0;     // number of the newest work
  fake::Clock clock;     // what the next work comes after
  CUgraph capture = nullptr;
};

struct CUevent_st {
  CUcontext context = nullptr;
  unsigned flags = 0;
  CUstream recorded_on = nullptr;  // null: never recorded
  uint64_t number = 0;             // of the work that records it
  fake::Clock clock;
  double time_ms = 0;
  CUgraph capture = nullptr;
};

struct CUmod_st {
  CUcontext context = nullptr;
  fake::PtxText ptx;
  std::map<std::string, CUfunction> functions;
  std::map<std::string, fake::AllocationPtr> globals;
};

struct CUfunc_st {
  CUcontext context = nullptr;
  const fake::PtxEntry* entry = nullptr;
  std::map<CUfunction_attribute, int> attributes;
};

struct CUmemPoolHandle_st {
  int device = 0;
  bool is_default = false;
  uint64_t threshold_bytes = 0;  // kept at a synchronisation
  uint64_t reserved_bytes = 0, reserved_high_bytes = 0;
  uint64_t used_bytes = 0, used_high_bytes = 0;
  std::map<CUmemPool_attribute, int> reuse;
};

struct CUgraph_st {
  CUstream origin = nullptr;  // null: the capture has ended
  bool is_invalid = false;
  std::vector<fake::Work> works;
};

struct CUgraphExec_st {
  std::vector<fake::Work> works;
};

struct CUlinkState_st {
  CUcontext context = nullptr;
  std::string text;
};

}  // namespace jitc::runtime::cuda
