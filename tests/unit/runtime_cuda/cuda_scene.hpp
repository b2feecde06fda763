// A backend over the fake driver, kernels to load on it, and the books at the end.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "jitc/array.hpp"
#include "runtime/common/backend.hpp"
#include "runtime/common/make_array.hpp"
#include "runtime/cuda/cuda_backend.hpp"
#include "tests/fakes/fake_driver.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_cuda/fill_kernels.hpp"

namespace jitc::tests {

/// The device "cuda:0" of a pose. At the end nothing is left in the driver, and no one did what must not be done.
class CudaScene {
 public:
  explicit CudaScene(const FakePose& pose = {}, const char* library = JITC_FAKE_CUDA) : fake(library) {
    fake->pose(pose);
    driver = runtime::cuda::Driver::load(library);
    backend = runtime::cuda::make_cuda_backend(driver, 0);
  }
  ~CudaScene() {
    backend.reset();
    if (!is_dead) CHECK(fake->live() == FakeLive{});
    CHECK(fake->misuses() == std::vector<std::string>{});
  }
  CudaScene(const CudaScene&) = delete;
  CudaScene& operator=(const CudaScene&) = delete;

  runtime::Backend* operator->() const { return backend.get(); }

  Stream default_stream() const { return Stream::of_queue(backend->default_queue()); }
  Stream make_stream(const StreamOptions& options = {.non_blocking = true}) const {
    return Stream::of_queue(backend->make_queue(options));
  }
  std::shared_ptr<runtime::Marker> make_event(const EventOptions& options = {}) const {
    return backend->make_marker(options);
  }
  Array empty(const std::vector<int64_t>& shape, DType dtype = DType::i4, const Stream& stream = {}) const {
    return runtime::make_array(backend, shape, dtype, stream.is_default() ? backend->default_queue() : stream.queue());
  }
  /// 0, 1, 2 …
  Array iota(const std::vector<int64_t>& shape, const Stream& stream = {}) const {
    Array array = empty(shape, DType::i4, stream);
    std::vector<int32_t> elems(static_cast<size_t>(array.size()));
    std::iota(elems.begin(), elems.end(), 0);
    array.copy_from_host(elems, stream);
    return array;
  }
  void script(const std::string& function, int code, uint64_t nth = 1,
              FakeLasting lasting = FakeLasting::as_the_driver) const {
    fake->script({.function = function, .nth = nth, .code = code, .lasting = lasting});
  }

  FakeDriver fake;
  std::shared_ptr<const runtime::cuda::Driver> driver;
  std::shared_ptr<runtime::Backend> backend;
  bool is_dead = false;  ///< what is left in a context that a code broke is its own
};

}  // namespace jitc::tests
