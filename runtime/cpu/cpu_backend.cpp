#include "runtime/cpu/cpu_backend.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "jitc/cpu_abi.hpp"
#include "runtime/common/error.hpp"
#include "runtime/common/failure.hpp"
#include "runtime/common/strided_copy.hpp"
#include "runtime/cpu/cpu_info.hpp"
#include "runtime/cpu/fp_mode.hpp"
#include "runtime/cpu/inline_queue.hpp"
#include "runtime/cpu/object_loader.hpp"
#include "runtime/cpu/scratch.hpp"

#include "runtime/cpu/thread_pool.hpp"

namespace jitc::runtime::cpu {

namespace {

// A cache line, and the widest vector register.
constexpr std::align_val_t kAlignment{64};
// Half of what 48-bit addresses reach, the user's half. Beyond it the sanitizers' allocators abort.
constexpr size_t kAddressSpaceBytes = size_t{1} << 47;
// What ufuncs take as well: long enough rows for the vector units.
constexpr uint32_t kBestBlock = 256;

MemoryState host_memory_state() {
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  MemoryState out;
  out.free_bytes = static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * page_bytes;
  out.total_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes;
  return out;
}

/// Keeps the artifact for its fail sites, without the code that was loaded.
class CpuLoadedKernel : public LoadedKernel {
 public:
  CpuLoadedKernel(const Artifact& artifact, std::unique_ptr<LoadedObject> object)
      : artifact_(artifact), object_(std::move(object)) {
    artifact_.code.clear();
    artifact_.code.shrink_to_fit();
  }
  const Artifact& artifact() const { return artifact_; }
  CpuKernel entry() const { return object_->entry(); }
  KernelResources resources() const override {
    return {.static_shared_bytes = artifact_.static_shared_bytes,
            .max_threads_per_block = artifact_.max_threads_per_block};
  }

 private:
  Artifact artifact_;
  std::unique_ptr<LoadedObject> object_;
};

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(unsigned thread_count) : pool_(thread_count, [] { write_fp_mode(kKernelFpMode); }) {}

  const std::string& name() const override { return name_; }
  const std::string& target() const override { return name_; }
  int max_ptx_isa() const override { return 0; }
  bool is_host() const override { return true; }
  unsigned worker_threads() const override { return pool_.thread_count(); }
  std::string description() const override {
    const unsigned count = worker_threads();
    return fmt::format("{}, {} thread{}", processor_description(), count, count == 1 ? "" : "s");
  }

  const std::shared_ptr<Queue>& default_queue() override { return default_queue_; }
  std::shared_ptr<Queue> per_thread_queue() override { return default_queue_; }
  std::shared_ptr<Queue> make_queue(const StreamOptions&) override { return std::make_shared<InlineQueue>(*this); }
  std::shared_ptr<Queue> external_queue(void*) override {
    fail(ErrorCode::argument, "the CPU has no streams of others: make one with Stream(device)");
  }
  std::shared_ptr<Marker> make_marker(const EventOptions& options) override {
    return std::make_shared<InlineMarker>(*this, options.timing);
  }
  void order(Queue&, Queue&) override {}
  void synchronize() override {}

  std::byte* allocate(size_t size_bytes, Queue&) override {
    if (size_bytes == 0) return nullptr;
    void* data = size_bytes > kAddressSpaceBytes ? nullptr : ::operator new(size_bytes, kAlignment, std::nothrow);
    if (data == nullptr) fail(ErrorCode::memory, "cannot allocate {} bytes on {}", size_bytes, name_);
    return static_cast<std::byte*>(data);
  }
  void deallocate(Allocation allocation) noexcept override { ::operator delete(allocation.data, kAlignment); }
  void fill_zero(std::byte* dst, size_t size_bytes, Queue&) override { std::memset(dst, 0, size_bytes); }
  void copy(const StridedCopy& copy, Queue&) override { copy_on_host(copy); }

  std::byte* allocate_host(size_t size_bytes, HostMemoryKind, const HostMemoryOptions&) override {
    return allocate(size_bytes, *default_queue_);
  }
  void deallocate_host(std::byte* data, size_t, HostMemoryKind) noexcept override {
    ::operator delete(data, kAlignment);
  }
  std::byte* device_address(std::byte* host_data, HostMemoryKind) override { return host_data; }
  void pin(void*, size_t) override {}
  void unpin(void*) noexcept override {}

  std::shared_ptr<LoadedKernel> load(const Artifact& artifact) override {
    if (artifact.kind != Artifact::Kind::cpu_object) {
      fail(ErrorCode::target, "kernel '{}' was compiled for {}, not for the CPU", artifact.name, artifact.target);
    }
    return std::make_shared<CpuLoadedKernel>(artifact, loader_.load(artifact.code, artifact.symbol));
  }

  void check_launch(const LoadedKernel&, const LaunchConfig&) override {}
  uint32_t best_block(const LoadedKernel& kernel, uint32_t) override {
    return std::min(kBestBlock, kernel.resources().max_threads_per_block);
  }
  void launch(const LoadedKernel& kernel, const LaunchConfig& config, std::span<const std::byte> params,
              Queue&) override {
    const auto& loaded = static_cast<const CpuLoadedKernel&>(kernel);
    FailRecord record;
    CpuLaunch call{{config.grid.x, config.grid.y, config.grid.z}, {config.block.x, config.block.y, config.block.z}};
    if (!loaded.artifact().fail_sites.empty()) call.fail = &record;
    call.dynamic_shared_bytes = config.dynamic_shared_bytes;
    run_blocks(loaded, call, params);
    throw_if_failed(loaded.artifact(), record);
  }

  size_t trim() override { return 0; }
  MemoryState memory_state() override { return host_memory_state(); }
  void begin_deferred_cleanup() override {}
  void end_deferred_cleanup() noexcept override {}

 private:
  /// Blocks that must meet, and those that print, run in order on the calling thread; all others on the pool.
  void run_blocks(const CpuLoadedKernel& kernel, const CpuLaunch& call, std::span<const std::byte> params) {
    const Artifact& artifact = kernel.artifact();
    const uint64_t block_count = uint64_t{call.grid[0]} * call.grid[1] * call.grid[2];
    const uint64_t scratch_bytes =
        cpu_scratch_size(artifact.cpu_scratch_bytes, artifact.cpu_scratch_bytes_per_thread, artifact.cooperative, call);
    std::atomic<bool> out_of_memory = false;
    const KernelFpMode mode;
    const auto run = [&](uint64_t begin, uint64_t end) {
      std::byte* scratch = scratch_bytes == 0 ? nullptr : thread_scratch(scratch_bytes);
      if (scratch_bytes != 0 && scratch == nullptr) {
        out_of_memory = true;
        return;
      }
      kernel.entry()(params.data(), &call, begin, end, scratch);
    };
    if (artifact.cooperative || artifact.prints) {
      run(0, block_count);
    } else {
      pool_.run(block_count, run);
    }
    if (artifact.prints) std::fflush(stdout);
    if (out_of_memory) {
      fail(ErrorCode::memory, "kernel '{}' needs {} bytes of host memory for the threads that work together",
           artifact.name, scratch_bytes);
    }
  }

  const std::string name_ = "cpu";
  const std::shared_ptr<Queue> default_queue_ = std::make_shared<InlineQueue>(*this);
  ObjectLoader loader_;
  ThreadPool pool_;
};

}  // namespace

std::shared_ptr<Backend> make_cpu_backend(unsigned thread_count) { return std::make_shared<CpuBackend>(thread_count); }

std::shared_ptr<Backend> cpu_backend() {
  static const std::shared_ptr<Backend> backend = make_cpu_backend(launch_thread_count());
  return backend;
}

}  // namespace jitc::runtime::cpu
