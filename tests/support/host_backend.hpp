// A device for tests: host memory, counted; it loads nothing and launches nothing.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "jitc/array.hpp"
#include "runtime/common/backend.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/common/strided_copy.hpp"

namespace jitc::tests {

class HostBackend : public runtime::Backend {
 public:
  explicit HostBackend(std::string name = "host") : name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  std::string description() const override { return "host memory"; }
  const std::string& target() const override { return name_; }
  unsigned worker_threads() const override { return 1; }
  bool is_host() const override { return true; }

  const std::shared_ptr<runtime::Queue>& default_queue() override { return queue_; }
  std::shared_ptr<runtime::Queue> per_thread_queue() override { return queue_; }
  std::shared_ptr<runtime::Queue> make_queue(const StreamOptions&) override { return std::make_shared<Now>(*this); }
  std::shared_ptr<runtime::Queue> external_queue(void*) override { refuse(); }
  std::shared_ptr<runtime::Marker> make_marker(const EventOptions&) override { refuse(); }
  void order(runtime::Queue&, runtime::Queue&) override { ++orders; }
  void synchronize() override {}

  std::byte* allocate(size_t size_bytes, runtime::Queue&) override {
    if (size_bytes == 0) return nullptr;
    ++live_allocations;
    return static_cast<std::byte*>(::operator new(size_bytes));
  }
  void deallocate(runtime::Allocation allocation) noexcept override {
    --live_allocations;
    queues_at_last_free = allocation.used_on.size();
    ::operator delete(allocation.data);
  }
  void fill_zero(std::byte* dst, size_t size_bytes, runtime::Queue&) override { std::memset(dst, 0, size_bytes); }
  void copy(const runtime::StridedCopy& copy, runtime::Queue&) override { runtime::copy_on_host(copy); }

  std::byte* allocate_host(size_t size_bytes, HostMemoryKind, const HostMemoryOptions&) override {
    return static_cast<std::byte*>(::operator new(size_bytes));
  }
  void deallocate_host(std::byte* data, size_t, HostMemoryKind) noexcept override { ::operator delete(data); }
  std::byte* device_address(std::byte* host_data, HostMemoryKind) override { return host_data; }
  void pin(void*, size_t) override { ++pinned; }
  void unpin(void*) noexcept override { --pinned; }

  std::shared_ptr<runtime::LoadedKernel> load(const Artifact&) override { refuse(); }
  void check_launch(const runtime::LoadedKernel&, const LaunchConfig&) override { refuse(); }
  uint32_t best_block(const runtime::LoadedKernel&, uint32_t) override { refuse(); }
  void launch(const runtime::LoadedKernel&, const LaunchConfig&, std::span<const std::byte>, runtime::Queue&) override {
    refuse();
  }
  size_t trim() override { return 0; }
  runtime::MemoryState memory_state() override { return {}; }
  void begin_deferred_cleanup() override { ++deferring; }
  void end_deferred_cleanup() noexcept override { --deferring; }

  /// An array in C order, its elements not set.
  static Array array(const std::shared_ptr<runtime::Backend>& backend, const std::vector<int64_t>& shape, DType dtype) {
    return runtime::make_array(backend, shape, dtype, backend->default_queue());
  }

  std::atomic<int> live_allocations{0};
  int orders = 0;
  int pinned = 0;
  int deferring = 0;
  size_t queues_at_last_free = 0;

 private:
  /// Does everything at once.
  class Now : public runtime::Queue {
   public:
    explicit Now(runtime::Backend& backend) : backend_(backend) {}
    runtime::Backend& backend() const override { return backend_; }
    void synchronize() override {}
    bool is_done() override { return true; }
    void wait(runtime::Marker&) override {}
    void call(std::function<void()> function) override { function(); }
    void* native_handle() const override { return nullptr; }

   private:
    runtime::Backend& backend_;
  };

  [[noreturn]] static void refuse() { throw std::logic_error("the test device does not do this"); }

  std::string name_;
  std::shared_ptr<runtime::Queue> queue_ = std::make_shared<Now>(*this);
};

}  // namespace jitc::tests
