#include "runtime/cpu/cpu_backend.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/common/error.hpp"
#include "runtime/common/strided_copy.hpp"
#include "runtime/cpu/blas.hpp"
#include "runtime/cpu/cpu_info.hpp"
#include "runtime/cpu/cpu_kernel.hpp"
#include "runtime/cpu/cpu_queue.hpp"
#include "runtime/cpu/fp_mode.hpp"
#include "runtime/cpu/host_memory.hpp"
#include "runtime/cpu/object_loader.hpp"
#include "runtime/cpu/schedule.hpp"
#include "runtime/cpu/thread_pool.hpp"

namespace jitc::runtime::cpu {

namespace {

// What ufuncs take as well: long enough rows for the vector units.
constexpr uint32_t kBestBlock = 256;

// Outlives OwnQueues: destructors of static and thread-local objects may ask for a queue after it.
thread_local bool has_ended = false;

/// Of one thread, by the number of the backend.
struct OwnQueues {
  OwnQueues() = default;
  ~OwnQueues() { has_ended = true; }
  OwnQueues(const OwnQueues&) = delete;
  OwnQueues& operator=(const OwnQueues&) = delete;

  std::unordered_map<uint64_t, std::shared_ptr<Queue>> of_backend;
};

const std::shared_ptr<Lane>& lane_of(const Queue& queue) { return static_cast<const CpuQueue&>(queue).lane(); }

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(unsigned thread_count)
      : pool_(std::make_shared<ThreadPool>(thread_count, [] { write_fp_mode(kKernelFpMode); })) {
    add_process_listener(pool_);
    add_process_listener(schedule_);
  }

  const std::string& name() const override { return name_; }
  const std::string& target() const override { return name_; }
  bool is_host() const override { return true; }
  unsigned worker_threads() const override { return pool_->thread_count(); }
  std::string description() const override {
    const unsigned count = worker_threads();
    return fmt::format("{}, {} thread{}", processor_description(), count, count == 1 ? "" : "s");
  }

  const std::shared_ptr<Queue>& default_queue() override { return default_queue_; }
  std::shared_ptr<Queue> per_thread_queue() override {
    // The default queue comes behind all that the thread's own one was given.
    if (has_ended) return default_queue_;
    thread_local OwnQueues own;
    std::shared_ptr<Queue>& queue = own.of_backend[number_];
    if (queue == nullptr) queue = make_queue({});
    return queue;
  }
  std::shared_ptr<Queue> make_queue(const StreamOptions& options) override {
    return std::make_shared<LaneQueue>(*this, schedule_, options);
  }
  std::shared_ptr<Queue> external_queue(void*) override {
    fail(ErrorCode::argument, "the CPU has no streams of others: make one with Stream(device)");
  }
  std::shared_ptr<Marker> make_marker(const EventOptions& options) override {
    schedule_->refuse_in_callbacks();
    return std::make_shared<CpuMarker>(*this, schedule_, options.timing);
  }
  void order(Queue& first, Queue& then) override { schedule_->order(lane_of(first), lane_of(then)); }
  void synchronize() override { schedule_->synchronize_all(); }

  std::byte* allocate(size_t size_bytes, Queue&) override {
    schedule_->refuse_in_callbacks();
    return allocate(size_bytes);
  }
  void deallocate(Allocation allocation) noexcept override { pending_.free(allocation); }
  void fill_zero(std::byte* dst, size_t size_bytes, Queue& queue) override {
    run_on(queue, [dst, size_bytes] { std::memset(dst, 0, size_bytes); });
  }
  void copy(const StridedCopy& copy, Queue& queue) override {
    run_on(queue, [collapsed = collapse(copy)] { copy_on_host(collapsed); });
  }

  std::byte* allocate_host(size_t size_bytes, HostMemoryKind, const HostMemoryOptions&) override {
    schedule_->refuse_in_callbacks();
    return allocate(size_bytes);
  }
  void deallocate_host(std::byte* data, size_t, HostMemoryKind) noexcept override { free_host_memory(data); }
  std::byte* device_address(std::byte* host_data, HostMemoryKind) override { return host_data; }
  void pin(void*, size_t) override {}
  void unpin(void*) noexcept override {}

  std::string product_library() override { return Blas::of_process() != nullptr ? Blas::of_process()->path() : ""; }
  bool multiply(const MatrixProduct& product, Queue& queue) override {
    const Blas* blas = Blas::of_process();
    if (blas == nullptr || !Blas::takes(product)) return false;
    run_on(queue, [blas, product] { blas->product(product); });
    return true;
  }

  std::shared_ptr<LoadedKernel> load(const Artifact& artifact) override {
    schedule_->refuse_in_callbacks();
    if (artifact.kind != Artifact::Kind::cpu_object) {
      fail(ErrorCode::target, "kernel '{}' was compiled for {}, not for the CPU", artifact.name, artifact.target);
    }
    return std::make_shared<CpuLoadedKernel>(
        std::make_shared<KernelCode>(artifact, loader_.load(artifact.code, artifact.symbol)));
  }

  void check_launch(const LoadedKernel&, const LaunchConfig&) override {}
  uint32_t best_block(const LoadedKernel& kernel, uint32_t) override {
    return std::min(kBestBlock, kernel.resources().max_threads_per_block);
  }
  void launch(const LoadedKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
              Queue& queue) override {
    const std::shared_ptr<const KernelCode>& code = static_cast<const CpuLoadedKernel&>(kernel).code();
    CpuLaunch call{{config.grid.x, config.grid.y, config.grid.z}, {config.block.x, config.block.y, config.block.z}};
    call.dynamic_shared_bytes = config.dynamic_shared_bytes;
    if (lane_of(queue) == nullptr) {
      schedule_->run_default([&] { run_kernel(*code, call, params, *pool_); });
    } else {
      schedule_->give(lane_of(queue), [code, call, own = std::vector<std::byte>(params.begin(), params.end()),
                                       pool = pool_] { run_kernel(*code, call, own, *pool); });
    }
  }

  size_t trim() override { return 0; }
  MemoryState memory_state() override {
    const HostMemoryBytes bytes = host_memory_bytes();
    MemoryState out{.free_bytes = bytes.available, .total_bytes = bytes.total};
    out.pending_frees = pending_.count();
    out.pending_bytes = pending_.size_bytes();
    return out;
  }
  // Freeing costs no driver call here: nothing is gained by doing it later.
  void begin_deferred_cleanup() override {}
  void end_deferred_cleanup() noexcept override {}

 private:
  static uint64_t next_number() {
    static std::atomic<uint64_t> count{0};
    return ++count;
  }

  std::byte* allocate(size_t size_bytes) {
    if (size_bytes == 0) return nullptr;
    std::byte* data = allocate_host_memory(size_bytes);
    if (data == nullptr) fail(ErrorCode::memory, "cannot allocate {} bytes on {}", size_bytes, name_);
    return data;
  }

  template <class Body>
  void run_on(Queue& queue, const Body& body) {
    if (lane_of(queue) == nullptr) {
      schedule_->run_default(body);
    } else {
      schedule_->give(lane_of(queue), body);
    }
  }

  const std::string name_ = "cpu";
  const uint64_t number_ = next_number();  // unlike the address, never used again
  const std::shared_ptr<ThreadPool> pool_;
  const std::shared_ptr<Schedule> schedule_ = std::make_shared<Schedule>();
  const std::shared_ptr<Queue> default_queue_ = std::make_shared<DefaultQueue>(*this, schedule_);
  PendingFrees pending_{schedule_};
  ObjectLoader loader_;
};

}  // namespace

std::shared_ptr<Backend> make_cpu_backend(unsigned thread_count) { return std::make_shared<CpuBackend>(thread_count); }

std::shared_ptr<Backend> cpu_backend() {
  // Never destroyed: static objects and other threads may use it to the very end of the process.
  static const std::shared_ptr<Backend>& backend =
      *new std::shared_ptr<Backend>(make_cpu_backend(launch_thread_count()));
  return backend;
}

}  // namespace jitc::runtime::cpu
