#include "runtime/cuda/cuda_devices.hpp"

#include <map>
#include <mutex>

#include "runtime/common/error.hpp"
#include "runtime/cuda/cuda_backend.hpp"
#include "runtime/cuda/device_facts.hpp"
#include "runtime/cuda/driver_error.hpp"
#include "runtime/cuda/ptx_isa.hpp"

namespace jitc::runtime::cuda {

namespace {

class CudaDevices {
 public:
  /// Never destroyed: arrays in static variables and threads that still run give memory back after any destructor of
  /// ours would have run, and the driver frees all at the process's end by itself.
  static CudaDevices& get() {
    static auto* const devices = new CudaDevices;
    return *devices;
  }

  const DriverInfo& info() const { return info_; }
  int count() const { return count_; }
  const std::shared_ptr<const Driver>& driver() const { return driver_; }

  std::shared_ptr<Backend> open(int ordinal) {
    if (driver_ == nullptr || count_ == 0) fail(ErrorCode::device, "{}", info_.problem);
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Backend>& backend = backends_[ordinal];
    if (backend == nullptr) backend = make_cuda_backend(driver_, ordinal);
    return backend;
  }
  /// Null when nobody has opened it.
  std::shared_ptr<Backend> find(int ordinal) {
    const std::lock_guard lock(mutex_);
    const auto found = backends_.find(ordinal);
    return found == backends_.end() ? nullptr : found->second;
  }

 private:
  CudaDevices() {
    info_.library = Driver::default_path();
    try {
      driver_ = Driver::load(info_.library);
      info_.version = driver_->version();
      info_.ptx_isa = newest_ptx_isa(info_.version);
      check(driver_->cuDeviceGetCount, driver_->cuDeviceGetCount(&count_), "counting the CUDA devices");
      info_.problem = problem_of_devices();
    } catch (const Error& error) { info_.problem = error.what(); }
  }

  /// Why none of them can be used; empty when one can.
  std::string problem_of_devices() const {
    std::string first = "the CUDA driver '" + info_.library + "' sees no device";
    for (int ordinal = 0; ordinal < count_; ++ordinal) {
      const std::string problem = read_device_facts(*driver_, ordinal).problem();
      if (problem.empty()) return {};
      if (ordinal == 0) first = problem;
    }
    return first;
  }

  DriverInfo info_;
  std::shared_ptr<const Driver> driver_;
  int count_ = 0;
  std::mutex mutex_;  // guards backends_
  std::map<int, std::shared_ptr<Backend>> backends_;
};

DeviceInfo describe(CudaDevices& devices, int ordinal) {
  DeviceInfo out;
  out.name = fmt::format("cuda:{}", ordinal);
  try {
    const DeviceFacts facts = read_device_facts(*devices.driver(), ordinal);
    out.description = facts.description();
    out.target = facts.target();
    out.total_memory = facts.memory_bytes;
    out.problem = facts.problem();
    if (const auto backend = devices.find(ordinal)) out.free_memory = backend->memory_state().free_bytes;
  } catch (const Error& error) { out.problem = error.what(); }
  return out;
}

/// Asks the driver of which device a context is, which it only tells of the current one.
CUdevice device_of(const Driver& driver, CUcontext context) {
  CUdevice device = 0;
  check(driver.cuCtxPushCurrent, driver.cuCtxPushCurrent(context), "entering a context of someone else");
  const CUresult code = driver.cuCtxGetDevice(&device);
  CUcontext popped = nullptr;
  check(driver.cuCtxPopCurrent, driver.cuCtxPopCurrent(&popped), "leaving a context of someone else");
  check(driver.cuCtxGetDevice, code, "looking for the device of a context");
  return device;
}

int ordinal_of(const Driver& driver, int count, CUdevice device) {
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice candidate = 0;
    check(driver.cuDeviceGet, driver.cuDeviceGet(&candidate, ordinal), "looking for cuda:{}", ordinal);
    if (candidate == device) return ordinal;
  }
  fail(ErrorCode::device, "the context is of a device that the driver does not count");
}

}  // namespace

DriverInfo driver_info() { return CudaDevices::get().info(); }

int device_count() { return CudaDevices::get().count(); }

std::shared_ptr<Backend> open_device(int ordinal) { return CudaDevices::get().open(ordinal); }

std::shared_ptr<Backend> open_device_of_context(void* context) {
  CudaDevices& devices = CudaDevices::get();
  if (devices.driver() == nullptr) fail(ErrorCode::device, "{}", devices.info().problem);
  if (context == nullptr) fail(ErrorCode::argument, "a null context is of no device");
  const Driver& driver = *devices.driver();
  const int ordinal = ordinal_of(driver, devices.count(), device_of(driver, static_cast<CUcontext>(context)));
  std::shared_ptr<Backend> backend = devices.open(ordinal);
  if (native_context(*backend) == context) return backend;
  fail(ErrorCode::argument, "the context is not the primary one of {}; jitc works in primary contexts alone",
       backend->name());
}

std::vector<DeviceInfo> list_devices() {
  CudaDevices& devices = CudaDevices::get();
  std::vector<DeviceInfo> out;
  for (int ordinal = 0; ordinal < devices.count(); ++ordinal) out.push_back(describe(devices, ordinal));
  return out;
}

}  // namespace jitc::runtime::cuda
