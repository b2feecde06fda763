// jitc::Device::open and its like: the one place that knows every backend.
#include <charconv>
#include <optional>
#include <utility>

#include "jitc/device.hpp"
#include "runtime/common/error.hpp"
#include "runtime/cpu/cpu_backend.hpp"
#include "runtime/cuda/cuda_devices.hpp"
#include "src/codegen/codegen.hpp"

namespace jitc {

using runtime::fail;
namespace cuda = runtime::cuda;

namespace {

struct Choice {
  std::shared_ptr<runtime::Backend> backend;
  std::string why;
};

/// "'cuda:0' and 'cuda:1'"
std::string names_of_cuda_devices() {
  std::string names;
  const int count = cuda::device_count();
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    if (ordinal != 0) names += ordinal + 1 == count ? " and " : ", ";
    names += fmt::format("'cuda:{}'", ordinal);
  }
  return names;
}

Choice choose_cpu(const std::string& reason) { return {runtime::cpu::cpu_backend(), "cpu, because " + reason}; }

Choice choose_device() {
  if (cuda::device_count() == 0) return choose_cpu(cuda::driver_info().problem);
  try {
    std::shared_ptr<runtime::Backend> backend = cuda::open_device(0);
    std::string why = fmt::format("{}, the first CUDA device ({})", backend->name(), backend->description());
    return {std::move(backend), std::move(why)};
  } catch (const Error& error) { return choose_cpu(fmt::format("cuda:0 cannot be opened: {}", error.what())); }
}

/// Chosen once, so that all that a process leaves open runs on one device. Never destroyed, as the devices are not.
const Choice& automatic_choice() {
  static const auto* const choice = new Choice(choose_device());
  return *choice;
}

/// Of "cuda" and "cuda:2"; nothing for other names.
std::optional<int> cuda_ordinal(std::string_view name) {
  if (name == "cuda") return 0;
  constexpr std::string_view kPrefix = "cuda:";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  int ordinal = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), ordinal);
  if (error != std::errc() || end != name.data() + name.size() || ordinal < 0) return std::nullopt;
  return ordinal;
}

std::shared_ptr<runtime::Backend> open_cuda(const std::string& name, int ordinal) {
  const int count = cuda::device_count();
  if (count == 0) fail(ErrorCode::device, "device '{}' cannot be opened: {}", name, cuda::driver_info().problem);
  if (ordinal >= count) {
    fail(ErrorCode::device, "there is no device '{}': the CUDA driver has {} device{}, {}", name, count,
         count == 1 ? "" : "s", names_of_cuda_devices());
  }
  return cuda::open_device(ordinal);
}

[[noreturn]] void refuse(const std::string& name) {
  if (cuda::device_count() != 0) {
    fail(ErrorCode::device, "there is no device '{}'; 'auto', 'cpu', {} can be opened", name, names_of_cuda_devices());
  }
  fail(ErrorCode::device, "there is no device '{}'; 'auto' and 'cpu' can be opened, CUDA devices cannot: {}", name,
       cuda::driver_info().problem);
}

DeviceInfo cpu_info() {
  const std::shared_ptr<runtime::Backend> cpu = runtime::cpu::cpu_backend();
  const runtime::MemoryState memory = cpu->memory_state();
  return {cpu->name(), cpu->description(), cpu->target(), memory.total_bytes, memory.free_bytes, ""};
}

}  // namespace

Device Device::open(const std::string& name) {
  if (name == "auto") return Device(automatic_choice().backend, automatic_choice().why);
  if (name == "cpu") return Device(runtime::cpu::cpu_backend(), "cpu, as asked");
  const std::optional<int> ordinal = cuda_ordinal(name);
  if (!ordinal) refuse(name);
  std::shared_ptr<runtime::Backend> backend = open_cuda(name, *ordinal);
  const std::string why = backend->name() + ", as asked";
  return Device(std::move(backend), why);
}

Device Device::of_context(void* cuda_context) {
  std::shared_ptr<runtime::Backend> backend = cuda::open_device_of_context(cuda_context);
  const std::string why = backend->name() + ", the device of a context";
  return Device(std::move(backend), why);
}

std::vector<DeviceInfo> Device::list() {
  std::vector<DeviceInfo> all = cuda::list_devices();
  // The driver compiles PTX for the newest SM that we know upward to one that is newer.
  for (DeviceInfo& info : all) {
    if (info.problem.empty()) info.target = fmt::format("sm_{}", codegen::device_target(info.target).sm);
  }
  all.push_back(cpu_info());
  return all;
}

DriverInfo Device::cuda_driver() { return cuda::driver_info(); }

}  // namespace jitc
