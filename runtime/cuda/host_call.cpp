#include "runtime/cuda/host_call.hpp"

#include "runtime/cuda/process_state.hpp"

namespace jitc::runtime::cuda {

namespace {

struct HostCall {
  std::function<void()> function;
  std::shared_ptr<WorkReports> reports;
  uint64_t place;
};

/// Called by the driver once, and not at all when the context breaks before.
void run(void* user_data) {
  const CallbackScope scope;
  const std::unique_ptr<HostCall> call(static_cast<HostCall*>(user_data));
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
  context.check(driver.cuLaunchHostFunc, driver.cuLaunchHostFunc(stream, run, call.get()),
                "giving a stream a function to call");
  call.release();
}

}  // namespace jitc::runtime::cuda
