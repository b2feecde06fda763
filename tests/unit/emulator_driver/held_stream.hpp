// A stream whose work waits until the test lets it go on.
#pragma once

#include <future>

#include "tests/unit/emulator_driver/emulator_scene.hpp"

namespace jitc::tests {

/// Work that the stream gets while this lives starts after it.
class HeldStream {
 public:
  HeldStream(const EmulatorScene& scene, cuda::CUstream stream) : gate_(open_.get_future().share()) {
    REQUIRE(scene->cuLaunchHostFunc(stream, wait, &gate_) == cuda::CUDA_SUCCESS);
    driver_ = scene.driver;
    stream_ = stream;
  }
  ~HeldStream() {
    let_go();
    driver_->cuStreamSynchronize(stream_);  // the function uses this object
  }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;

  void let_go() {
    if (!is_open_) open_.set_value();
    is_open_ = true;
  }

 private:
  static void wait(void* gate) { static_cast<std::shared_future<void>*>(gate)->wait(); }

  std::promise<void> open_;
  std::shared_future<void> gate_;
  bool is_open_ = false;
  std::shared_ptr<const cuda::Driver> driver_;
  cuda::CUstream stream_ = nullptr;
};

}  // namespace jitc::tests
