#include "tests/unit/runtime_common/test_device.hpp"

namespace jitc {

Device Device::open(const std::string& name) {
  return Device(std::make_shared<tests::HostBackend>(name), "a device of the tests");
}

}  // namespace jitc
