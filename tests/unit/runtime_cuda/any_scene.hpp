// A backend over each of the drivers in turn: for what all drivers do alike.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "runtime/cuda/cuda_backend.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_cuda/any_driver.hpp"
#include "tests/unit/runtime_cuda/backend_scene.hpp"
#include "tests/unit/runtime_cuda/fill_kernels.hpp"

namespace jitc::tests {

/// `const AnyScene scene(GENERATE(every_driver()));`
inline auto every_driver() { return Catch::Generators::from_range(driver_names()); }

/// Work of streams comes as late as it may. At the end nothing is left in the driver, and no one did what must not be
/// done.
class AnyScene : public BackendScene {
 public:
  explicit AnyScene(const std::string& name)
      : driver(make_driver(name)),
        message_(Catch::MessageBuilder("INFO", CATCH_INTERNAL_LINEINFO, Catch::ResultWas::Info) << "driver: " << name) {
    driver->hold();
    backend = runtime::cuda::make_cuda_backend(runtime::cuda::Driver::load(driver->library()), 0);
  }
  ~AnyScene() {
    backend.reset();
    CHECK(driver->leftovers() == "");
  }
  AnyScene(const AnyScene&) = delete;
  AnyScene& operator=(const AnyScene&) = delete;

  std::unique_ptr<AnyDriver> driver;

 private:
  Catch::ScopedMessage message_;
};

}  // namespace jitc::tests
