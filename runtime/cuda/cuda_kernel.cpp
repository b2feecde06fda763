#include "runtime/cuda/cuda_kernel.hpp"

#include <set>

namespace jitc::runtime::cuda {

namespace {

std::shared_ptr<const Artifact> without_code(const Artifact& artifact) {
  auto copy = std::make_shared<Artifact>(artifact);
  copy->code.clear();
  copy->code.shrink_to_fit();
  return copy;
}

/// Errors name kernels that may be gone by then. There are as many as the process has loaded under different names.
const char* keep_title(const Artifact& artifact) {
  static std::mutex mutex;
  static auto& titles = *new std::set<std::string>;  // read while the process ends
  const std::lock_guard lock(mutex);
  return titles.insert(title_of(artifact)).first->c_str();
}

}  // namespace

OneAtATime::~OneAtATime() {
  if (last_ != nullptr) device_.events.give(last_);
}

void OneAtATime::begin(CudaQueue& queue) {
  const Driver& driver = device_.driver();
  if (last_ == nullptr) last_ = device_.events.take();
  if (last_queue_number_ == 0 || last_queue_number_ == queue.number()) return;
  device_.context.check(driver.cuStreamWaitEvent, driver.cuStreamWaitEvent(queue.handle(), last_, 0),
                        "ordering two launches");
}

void OneAtATime::end(CudaQueue& queue) {
  const Driver& driver = device_.driver();
  last_queue_number_ = queue.number();
  device_.context.check(driver.cuEventRecord, driver.cuEventRecord(last_, queue.handle()), "ordering two launches");
}

/// Without a mark, the host waits.
void OneAtATime::end_anyhow(CudaQueue& queue) noexcept {
  const Driver& driver = device_.driver();
  CUstream stream = queue.raw_handle();
  last_queue_number_ = queue.number();
  if (device_.context.note(driver.cuEventRecord, driver.cuEventRecord(last_, stream), "ordering two launches")) return;
  device_.context.note(driver.cuStreamSynchronize, driver.cuStreamSynchronize(stream), "ordering two launches");
}

CudaKernel::CudaKernel(std::shared_ptr<DeviceState> device, const Artifact& artifact, const KernelParts& parts)
    : device_(std::move(device)),
      artifact_(without_code(artifact)),
      parts_(parts),
      title_(keep_title(artifact)),
      is_plain_(parts.fail_record == 0 && !artifact.cooperative && !artifact.params_in_memory),
      turns_(*device_) {}

CudaKernel::~CudaKernel() { device_->cleanup.add(parts_.module); }

std::string title_of(const Artifact& artifact) {
  const std::string of_file = artifact.file.empty() ? "" : " of " + artifact.file;
  return "kernel '" + artifact.name + "'" + of_file;
}

}  // namespace jitc::runtime::cuda
