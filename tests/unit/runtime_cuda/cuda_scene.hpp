// A backend over the fake driver, kernels to load on it, and the books at the end.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
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

/// fill(n: i4 at 0, data: i4* at 8, value: i4 at 16) as PTX of the oldest ISA and SM.
inline Artifact fill_artifact() {
  Artifact artifact;
  artifact.target = "sm_50";
  artifact.ptx_isa = 60;
  artifact.name = "fill";
  artifact.symbol = "fill";
  artifact.file = "case.dsl";
  artifact.code = R"(
.version 6.0
.target sm_50
.address_size 64
.visible .entry fill(
  .param .u32 fill_param_0,
  .param .u64 fill_param_1,
  .param .u32 fill_param_2
)
{
  ret;
}
)";
  artifact.params = {{ParamSlot::Part::scalar, 0, 0, 0, 4},
                     {ParamSlot::Part::data, 1, 0, 8, 8},
                     {ParamSlot::Part::scalar, 2, 0, 16, 4}};
  artifact.params_size_bytes = 20;
  return artifact;
}

/// Its parameter block.
inline std::vector<std::byte> fill_params(int32_t n, const Array& array, int32_t value) {
  std::vector<std::byte> block(20);
  const std::byte* data = array.data();
  std::memcpy(block.data(), &n, 4);
  std::memcpy(block.data() + 8, &data, 8);
  std::memcpy(block.data() + 16, &value, 4);
  return block;
}

/// What the kernel does, for FakeControl::set_kernel.
inline int run_fill(const FakeLaunch& launch) {
  int32_t n = 0;
  int32_t* data = nullptr;
  int32_t value = 0;
  std::memcpy(&n, launch.params.data(), 4);
  std::memcpy(&data, launch.params.data() + 8, 8);
  std::memcpy(&value, launch.params.data() + 16, 4);
  std::fill(data, data + n, value);
  return 0;
}

}  // namespace jitc::tests
