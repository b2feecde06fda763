#include "runtime/cuda/host_call.hpp"

#include <mutex>
#include <unordered_set>

#include "runtime/cuda/process_state.hpp"

namespace jitc::runtime::cuda {

namespace {

struct HostCall {
  std::function<void()> function;
  std::shared_ptr<WorkReports> reports;
  uint64_t place;
};

/// The calls that the driver has and has not made. Those of a context that broke stay here: no one says when they can
/// go.
class WaitingCalls {
 public:
  void add(HostCall* call) {
    const std::lock_guard lock(mutex_);
    calls_.insert(call);
  }
  void remove(HostCall* call) {
    const std::lock_guard lock(mutex_);
    calls_.erase(call);
  }

 private:
  std::mutex mutex_;
  std::unordered_set<HostCall*> calls_;
};

/// Never destroyed: streams may still run at the end of the process.
WaitingCalls& waiting_calls() {
  static auto* const calls = new WaitingCalls;
  return *calls;
}

/// Called by the driver once, and not at all when the context breaks before.
void run(void* user_data) {
  const CallbackScope scope;
  const std::unique_ptr<HostCall> call(static_cast<HostCall*>(user_data));
  waiting_calls().remove(call.get());
  try {
    call->function();
  } catch (...) { call->reports->add_failure(call->place, std::current_exception()); }
}

}  // namespace

void call_behind(Context& context, CUstream stream, std::function<void()> function,
                 std::shared_ptr<WorkReports> reports) {
  const Driver& driver = context.driver();
  const uint64_t place = reports->next_place();
  auto call = std::make_unique<HostCall>(HostCall{std::move(function), std::move(reports), place});
  waiting_calls().add(call.get());
  const CUresult code = driver.cuLaunchHostFunc(stream, run, call.get());
  if (code != CUDA_SUCCESS) waiting_calls().remove(call.get());
  context.check(driver.cuLaunchHostFunc, code, "giving a stream a function to call");
  call.release();
}

}  // namespace jitc::runtime::cuda
