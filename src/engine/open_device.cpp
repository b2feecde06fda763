// jitc::Device::open: the one place that knows every backend.
#include "jitc/device.hpp"
#include "runtime/common/error.hpp"
#include "runtime/cpu/cpu_backend.hpp"

namespace jitc {

Device Device::open(const std::string& name) {
  if (name == "auto") return Device(runtime::cpu::cpu_backend(), "cpu, because it is the only kind of device so far");
  if (name == "cpu") return Device(runtime::cpu::cpu_backend(), "cpu, as asked");
  runtime::fail(ErrorCode::device, "there is no device '{}'; 'cpu' and 'auto' can be opened", name);
}

}  // namespace jitc
