#include "runtime/cuda/cuda_backend.hpp"

#include <algorithm>

#include "runtime/common/error.hpp"
#include "runtime/cuda/copies.hpp"
#include "runtime/cuda/cuda_kernel.hpp"
#include "runtime/cuda/cuda_marker.hpp"
#include "runtime/cuda/device_memory.hpp"
#include "runtime/cuda/host_memory.hpp"
#include "runtime/cuda/launch.hpp"
#include "runtime/cuda/launch_checks.hpp"
#include "runtime/cuda/ptx_isa.hpp"
#include "runtime/cuda/thread_queues.hpp"

namespace jitc::runtime::cuda {

namespace {

DeviceFacts usable_device_facts(const Driver& driver, int ordinal) {
  DeviceFacts facts = read_device_facts(driver, ordinal);
  const std::string problem = facts.problem();
  if (!problem.empty()) fail(ErrorCode::device, "{}", problem);
  return facts;
}

class CudaBackend final : public Backend {
 public:
  CudaBackend(const std::shared_ptr<const Driver>& driver, int ordinal)
      : device_(std::make_shared<DeviceState>(driver, usable_device_facts(*driver, ordinal))),
        target_(device_->facts.target()),
        default_queue_(make(CudaQueue::Kind::legacy, nullptr)),
        thread_queues_(std::make_shared<ThreadQueues>()) {}
  ~CudaBackend() override;

  const std::string& name() const override { return device_->facts.name; }
  std::string description() const override { return device_->facts.description(); }
  const std::string& target() const override { return target_; }
  unsigned worker_threads() const override { return 1; }
  bool is_host() const override { return false; }
  void* context() const { return device_->context.handle(); }

  const std::shared_ptr<Queue>& default_queue() override { return default_queue_; }
  std::shared_ptr<Queue> per_thread_queue() override;
  std::shared_ptr<Queue> make_queue(const StreamOptions& options) override;
  std::shared_ptr<Queue> external_queue(void* handle) override;
  std::shared_ptr<Marker> make_marker(const EventOptions& options) override {
    return std::make_shared<CudaMarker>(*this, device_, options);
  }
  void order(Queue& first, Queue& then) override { cuda::order(*device_, own(first), own(then)); }
  void synchronize() override;

  std::byte* allocate(size_t size_bytes, Queue& queue) override {
    return size_bytes == 0 ? nullptr : cuda::allocate(*device_, size_bytes, own(queue), counters);
  }
  void deallocate(Allocation allocation) noexcept override { device_->cleanup.add(std::move(allocation)); }
  void fill_zero(std::byte* dst, size_t size_bytes, Queue& queue) override {
    cuda::fill_zero(*device_, own(queue), dst, size_bytes);
  }
  void copy(const StridedCopy& copy, Queue& queue) override { run_copy(*device_, own(queue), copy); }

  std::byte* allocate_host(size_t size_bytes, HostMemoryKind kind, const HostMemoryOptions& options) override {
    return cuda::allocate_host(*device_, size_bytes, kind, options);
  }
  void deallocate_host(std::byte* data, size_t, HostMemoryKind kind) noexcept override {
    device_->cleanup.add(Cleanup::HostMemory{data, kind});
  }
  std::byte* device_address(std::byte* host_data, HostMemoryKind kind) override {
    return device_address_of(*device_, host_data, kind);
  }
  void pin(void* data, size_t size_bytes) override { cuda::pin(*device_, data, size_bytes); }
  void unpin(void* data) noexcept override { cuda::unpin(*device_, data); }

  std::shared_ptr<LoadedKernel> load(const Artifact& artifact) override { return load_kernel(device_, artifact); }
  void check_launch(const LoadedKernel& kernel, const LaunchConfig& config) override {
    cuda::check_launch(own(kernel), config);
  }
  uint32_t best_block(const LoadedKernel& kernel, uint32_t dynamic_shared_bytes) override {
    return cuda::best_block(own(kernel), dynamic_shared_bytes);
  }
  void launch(const LoadedKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
              Queue& queue) override {
    cuda::launch(own(kernel), config, params, own(queue), counters);
  }

  size_t trim() override { return cuda::trim(*device_); }
  MemoryState memory_state() override { return cuda::memory_state(*device_); }
  void begin_deferred_cleanup() override { device_->cleanup.begin_deferral(); }
  void end_deferred_cleanup() noexcept override { device_->cleanup.end_deferral(); }

 private:
  std::shared_ptr<CudaQueue> make(CudaQueue::Kind kind, CUstream stream) {
    return std::make_shared<CudaQueue>(*this, device_, kind, stream);
  }
  CudaQueue& own(Queue& queue) const {
    if (&queue.backend() != this) [[unlikely]]
      fail(ErrorCode::argument, "a stream of {} is used on {}", queue.backend().name(), name());
    return static_cast<CudaQueue&>(queue);
  }
  const CudaKernel& own(const LoadedKernel& kernel) const {
    const auto& loaded = static_cast<const CudaKernel&>(kernel);
    if (loaded.device() != device_) [[unlikely]]
      fail(ErrorCode::argument, "{} was loaded on {}, not on {}", loaded.title(), loaded.device()->facts.name, name());
    return loaded;
  }

  std::shared_ptr<DeviceState> device_;
  std::string target_;
  std::shared_ptr<Queue> default_queue_;
  std::shared_ptr<ThreadQueues> thread_queues_;
};

/// Callbacks run before their queues' reports go, and frees before the pool that they belong to.
CudaBackend::~CudaBackend() {
  const auto wait = [&] {
    const ContextScope scope(device_->context, std::nothrow);
    const Driver& driver = device_->driver();
    if (scope) device_->context.note(driver.cuCtxSynchronize, driver.cuCtxSynchronize(), "closing the device");
  };
  wait();
  device_->cleanup.close();
  wait();
}

std::shared_ptr<Queue> CudaBackend::per_thread_queue() {
  return thread_queues_->get(
      [&] { return make(CudaQueue::Kind::per_thread, special_pointer<CUstream>(kPerThreadStream)); });
}

std::shared_ptr<Queue> CudaBackend::make_queue(const StreamOptions& options) {
  Context& context = device_->context;
  const ContextScope scope(context);
  const Driver& driver = device_->driver();
  int lowest = 0;
  int highest = 0;  // the smaller number
  context.check(driver.cuCtxGetStreamPriorityRange, driver.cuCtxGetStreamPriorityRange(&lowest, &highest),
                "asking for the priorities of streams");
  const unsigned flags = options.non_blocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT;
  const int priority = std::clamp(options.priority, std::min(highest, lowest), lowest);
  CUstream stream = nullptr;
  context.check(driver.cuStreamCreateWithPriority, driver.cuStreamCreateWithPriority(&stream, flags, priority),
                "making a stream");
  return make(CudaQueue::Kind::created, stream);
}

std::shared_ptr<Queue> CudaBackend::external_queue(void* handle) {
  const auto number = reinterpret_cast<uintptr_t>(handle);
  if (number == kNullStream || number == kLegacyStream) return default_queue_;
  if (number == kPerThreadStream) return per_thread_queue();
  Context& context = device_->context;
  const ContextScope scope(context);
  const Driver& driver = device_->driver();
  auto* stream = static_cast<CUstream>(handle);
  CUcontext owner = nullptr;
  const CUresult code = driver.cuStreamGetCtx(stream, &owner);
  if (code == CUDA_ERROR_CONTEXT_IS_DESTROYED)  // the stream's, not ours
    fail(ErrorCode::argument, "the stream {} is of a context that is destroyed", handle);
  context.check(driver.cuStreamGetCtx, code, "looking at a stream of someone else");
  if (owner != context.handle()) {
    fail(ErrorCode::argument, "the stream {} is not one of the primary context of {}; jitc works in that alone", handle,
         name());
  }
  return make(CudaQueue::Kind::external, stream);
}

/// All that went wrong is forgotten with the first failure.
void CudaBackend::synchronize() {
  const ContextScope scope(device_->context);
  const Driver& driver = device_->driver();
  const auto all = device_->reports.snapshot();
  device_->context.check(driver.cuCtxSynchronize, driver.cuCtxSynchronize(), "waiting for the device");
  device_->cleanup.flush({.may_wait = true});
  std::exception_ptr first;
  for (const auto& [reports, place] : all) {
    try {
      reports->settle(place);
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
}

}  // namespace

std::shared_ptr<Backend> make_cuda_backend(std::shared_ptr<const Driver> driver, int ordinal) {
  int count = 0;
  check(driver->cuDeviceGetCount, driver->cuDeviceGetCount(&count), "counting the CUDA devices");
  if (ordinal < 0 || ordinal >= count) {
    fail(ErrorCode::device, "there is no cuda:{}: the driver has {} device{}", ordinal, count, count == 1 ? "" : "s");
  }
  return std::make_shared<CudaBackend>(driver, ordinal);
}

void* native_context(const Backend& backend) { return static_cast<const CudaBackend&>(backend).context(); }

}  // namespace jitc::runtime::cuda
