// The fake driver with a device whose context is current: what most tests of it begin with.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cuda/driver.hpp"
#include "tests/fakes/fake_driver.hpp"

namespace jitc::tests {

/// A kernel y[i] = a * x[i] + y[i] with a fail record: what the parts of the fake that read PTX are shown.
inline constexpr const char* kAxpyPtx = R"(
.version 7.0  // of CUDA 11.0
.target sm_70
.address_size 64
.visible .global .align 8 .b8 axpy__fail[64];
.visible .entry axpy(
  .param .f32 axpy_param_0,
  .param .u64 .ptr .global .align 4 axpy_param_1,
  .param .u64 axpy_param_2,
  .param .u32 axpy_param_3
)
.maxntid 256, 1, 1
{
  .shared .align 4 .b8 tile[1024];
  mov.u32 %r1, tile;
  ret;
}
)";

/// Members of the table are reached by `*`: `scene->cuMemAlloc(…)`. The context is released at the end, and the test
/// fails where the fake saw a misuse that it was not asked about.
class DriverScene {
 public:
  explicit DriverScene(const FakePose& pose = {}) {
    fake->pose(pose);
    driver_ = runtime::cuda::Driver::load(JITC_FAKE_CUDA);
    REQUIRE(driver_->cuDevicePrimaryCtxRetain(&context, 0) == runtime::cuda::CUDA_SUCCESS);
    REQUIRE(driver_->cuCtxPushCurrent(context) == runtime::cuda::CUDA_SUCCESS);
  }
  ~DriverScene() { CHECK(fake->misuses() == expected_misuses); }
  DriverScene(const DriverScene&) = delete;
  DriverScene& operator=(const DriverScene&) = delete;

  const runtime::cuda::Driver* operator->() const { return driver_.get(); }

  runtime::cuda::CUdeviceptr allocate(size_t size_bytes) const {
    runtime::cuda::CUdeviceptr data = 0;
    REQUIRE(driver_->cuMemAlloc(&data, size_bytes) == runtime::cuda::CUDA_SUCCESS);
    return data;
  }

  runtime::cuda::CUstream make_stream(unsigned flags = runtime::cuda::CU_STREAM_NON_BLOCKING) const {
    runtime::cuda::CUstream stream = nullptr;
    REQUIRE(driver_->cuStreamCreateWithPriority(&stream, flags, 0) == runtime::cuda::CUDA_SUCCESS);
    return stream;
  }

  runtime::cuda::CUevent make_event(unsigned flags = runtime::cuda::CU_EVENT_DEFAULT) const {
    runtime::cuda::CUevent event = nullptr;
    REQUIRE(driver_->cuEventCreate(&event, flags) == runtime::cuda::CUDA_SUCCESS);
    return event;
  }

  runtime::cuda::CUfunction load_axpy() {
    runtime::cuda::CUfunction function = nullptr;
    REQUIRE(driver_->cuModuleLoadData(&module_, kAxpyPtx) == runtime::cuda::CUDA_SUCCESS);
    REQUIRE(driver_->cuModuleGetFunction(&function, module_, "axpy") == runtime::cuda::CUDA_SUCCESS);
    return function;
  }
  runtime::cuda::CUmodule module() const { return module_; }

  FakeDriver fake{JITC_FAKE_CUDA};
  runtime::cuda::CUcontext context = nullptr;
  std::vector<std::string> expected_misuses;

 private:
  std::shared_ptr<const runtime::cuda::Driver> driver_;
  runtime::cuda::CUmodule module_ = nullptr;
};

}  // namespace jitc::tests
