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
#include "runtime/common/buffer.hpp"
#include "runtime/common/layout.hpp"

namespace jitc::tests {

class HostBackend : public runtime::Backend {
 public:
  explicit HostBackend(std::string name = "host") : name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  std::string description() const override { return "host memory"; }
  const std::string& target() const override { return name_; }
  unsigned worker_threads() const override { return 1; }

  std::byte* allocate(size_t size_bytes) override {
    ++live_allocations;
    return static_cast<std::byte*>(::operator new(size_bytes));
  }
  void deallocate(std::byte* data, size_t) noexcept override {
    --live_allocations;
    ::operator delete(data);
  }
  void fill_zero(std::byte* dst, size_t size_bytes) override { std::memset(dst, 0, size_bytes); }
  void copy_in(std::byte* dst, const void* src, size_t size_bytes) override { std::memcpy(dst, src, size_bytes); }
  void copy_out(void* dst, const std::byte* src, size_t size_bytes) override { std::memcpy(dst, src, size_bytes); }
  void copy_in_strided(std::byte*, const runtime::StridedElems&, const void*) override { refuse(); }
  void copy_out_strided(void*, const std::byte*, const runtime::StridedElems&) override { refuse(); }
  std::shared_ptr<runtime::LoadedKernel> load(const Artifact&) override { refuse(); }
  void launch(const runtime::LoadedKernel&, const LaunchConfig&, std::span<const std::byte>) override { refuse(); }

  /// An array in C order, its elements not set.
  static Array array(const std::shared_ptr<runtime::Backend>& backend, const std::vector<int64_t>& shape, DType dtype) {
    const auto size_bytes = static_cast<size_t>(runtime::checked_size_bytes(shape, dtype));
    return {std::make_shared<runtime::Buffer>(backend, size_bytes), dtype, shape,
            runtime::c_strides(shape, jitc::size_bytes(dtype)), 0};
  }

  std::atomic<int> live_allocations{0};

 private:
  [[noreturn]] static void refuse() { throw std::logic_error("the test device does not do this"); }

  std::string name_;
};

}  // namespace jitc::tests
