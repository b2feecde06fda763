// The emulator with a device whose context is current: what most tests of it begin with.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jitc/emulator.h"
#include "runtime/cuda/driver.hpp"
#include "tests/unit/emulator_driver/fresh_library.hpp"
#include "tests/unit/emulator_driver/kernels.hpp"

namespace jitc::tests {

namespace cuda = runtime::cuda;

/// Members of the driver's table are reached by `->`. With settings, or `is_own`, the library is a copy with a state of
/// its own.
class EmulatorScene {
 public:
  explicit EmulatorScene(const EmulatorSettings& settings = {}, bool is_own = false)
      : path_(settings.empty() && !is_own ? JITC_CUDAEMU : fresh_library()) {
    const SettingsScope scope(settings);
    driver = cuda::Driver::load(path_);
    REQUIRE(driver->cuDevicePrimaryCtxRetain(&context, 0) == cuda::CUDA_SUCCESS);
    REQUIRE(driver->cuCtxPushCurrent(context) == cuda::CUDA_SUCCESS);
  }
  ~EmulatorScene() {
    CHECK(driver->cuCtxPopCurrent(nullptr) == cuda::CUDA_SUCCESS);
    CHECK(driver->cuDevicePrimaryCtxRelease(0) == cuda::CUDA_SUCCESS);
  }
  EmulatorScene(const EmulatorScene&) = delete;
  EmulatorScene& operator=(const EmulatorScene&) = delete;

  const cuda::Driver* operator->() const { return driver.get(); }

  cuda::CUdeviceptr allocate(size_t size_bytes) const {
    cuda::CUdeviceptr data = 0;
    REQUIRE(driver->cuMemAlloc(&data, size_bytes) == cuda::CUDA_SUCCESS);
    return data;
  }
  template <class T>
  cuda::CUdeviceptr allocate(const std::vector<T>& elems) const {
    const cuda::CUdeviceptr data = allocate(elems.size() * sizeof(T));
    REQUIRE(driver->cuMemcpyHtoD(data, elems.data(), elems.size() * sizeof(T)) == cuda::CUDA_SUCCESS);
    return data;
  }
  template <class T>
  std::vector<T> read(cuda::CUdeviceptr data, size_t count) const {
    std::vector<T> elems(count);
    REQUIRE(driver->cuMemcpyDtoH(elems.data(), data, count * sizeof(T)) == cuda::CUDA_SUCCESS);
    return elems;
  }
  cuda::CUstream make_stream(unsigned flags = cuda::CU_STREAM_NON_BLOCKING) const {
    cuda::CUstream stream = nullptr;
    REQUIRE(driver->cuStreamCreateWithPriority(&stream, flags, 0) == cuda::CUDA_SUCCESS);
    return stream;
  }
  cuda::CUevent make_event(unsigned flags = cuda::CU_EVENT_DEFAULT) const {
    cuda::CUevent event = nullptr;
    REQUIRE(driver->cuEventCreate(&event, flags) == cuda::CUDA_SUCCESS);
    return event;
  }
  cuda::CUmodule load(const std::string& text) const {
    cuda::CUmodule module = nullptr;
    REQUIRE(driver->cuModuleLoadData(&module, text.c_str()) == cuda::CUDA_SUCCESS);
    return module;
  }
  cuda::CUfunction function(cuda::CUmodule module, const char* name) const {
    cuda::CUfunction found = nullptr;
    REQUIRE(driver->cuModuleGetFunction(&found, module, name) == cuda::CUDA_SUCCESS);
    return found;
  }
  cuda::CUfunction function(const std::string& text, const char* name) const { return function(load(text), name); }

  template <class... Params>
  cuda::CUresult launch(cuda::CUfunction function, unsigned grid, unsigned block, cuda::CUstream stream,
                        Params... params) const {
    void* addresses[] = {&params..., nullptr};
    return driver->cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, addresses, nullptr);
  }

  /// What the library says of the last fault or refusal.
  std::string report() const { return last_report(path_); }
  const JitcEmulatorControl& control() const { return control_of(path_); }

 private:
  std::string path_;

 public:
  std::shared_ptr<const cuda::Driver> driver;
  cuda::CUcontext context = nullptr;
};

}  // namespace jitc::tests
