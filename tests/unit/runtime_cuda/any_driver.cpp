#include "tests/unit/runtime_cuda/any_driver.hpp"

namespace jitc::tests {

std::vector<std::string> driver_names() {
#ifdef JITC_CUDAEMU
  return {"fake", "old fake", "emulator"};
#else
  return {"fake", "old fake"};
#endif
}

std::unique_ptr<AnyDriver> make_driver(const std::string& name) {
#ifdef JITC_CUDAEMU
  if (name == "emulator") return make_emulator_driver();
#endif
  return make_fake_driver(name == "fake" ? JITC_FAKE_CUDA : JITC_FAKE_CUDA_OLD);
}

}  // namespace jitc::tests
