// A backend over the fake driver, kernels to load on it, and the books at the end.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cuda/cuda_backend.hpp"
#include "tests/fakes/fake_driver.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_cuda/backend_scene.hpp"
#include "tests/unit/runtime_cuda/fill_kernels.hpp"

namespace jitc::tests {

/// The device "cuda:0" of a pose. At the end nothing is left in the driver, and no one did what must not be done.
class CudaScene : public BackendScene {
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

  void script(const std::string& function, int code, uint64_t nth = 1,
              FakeLasting lasting = FakeLasting::as_the_driver) const {
    fake->script({.function = function, .nth = nth, .code = code, .lasting = lasting});
  }

  FakeDriver fake;
  std::shared_ptr<const runtime::cuda::Driver> driver;
  bool is_dead = false;  ///< what is left in a context that a code broke is its own
};

}  // namespace jitc::tests
