#include "runtime/cuda/context.hpp"

#include "runtime/common/error.hpp"
#include "runtime/cuda/process_state.hpp"

namespace jitc::runtime::cuda {

Context::Context(std::shared_ptr<const Driver> driver, CUdevice device, std::string name)
    : driver_(std::move(driver)), device_(device), name_(std::move(name)) {
  watch_forks();
  require_open();
  const CUresult code = driver_->cuDevicePrimaryCtxRetain(&handle_, device_);
  cuda::check(driver_->cuDevicePrimaryCtxRetain, code, "opening {}", name_);
}

Context::~Context() {
  if (!is_dead() && !is_forked_child()) driver_->cuDevicePrimaryCtxRelease(device_);
}

void Context::raise(const AnyDriverFunction& function, CUresult code, std::string_view doing, std::string_view detail) {
  if (is_dead()) throw_dead();  // what killed it says more than what comes of that
  const std::string place = fmt::format("{} on {}", doing, name_);
  const std::string cause = detail.empty() ? suspect(code) : std::string(detail);
  if (is_sticky(code)) die(make_driver_error(function, code, place, cause).what());
  throw make_driver_error(function, code, place, cause);
}

bool Context::note(const AnyDriverFunction& function, CUresult code, std::string_view doing) noexcept {
  if (code == CUDA_SUCCESS) return true;
  if (!is_sticky(code)) return false;
  try {
    die(make_driver_error(function, code, fmt::format("{} on {}", doing, name_), suspect(code)).what());
  } catch (...) {
    die("it failed");  // no memory for more words
  }
  return false;
}

/// Whom to look at when something broke the context.
std::string Context::suspect(CUresult code) const {
  const char* title = last_launch_.load(std::memory_order_relaxed);
  if (title == nullptr || !is_sticky(code) || is_shutdown(code)) return {};
  return fmt::format("the last launch before was of {}", title);
}

void Context::die(std::string_view reason) noexcept {
  const std::lock_guard lock(mutex_);
  if (is_dead()) return;
  try {
    reason_ = reason;
  } catch (...) {
    // Dead without a reason.
  }
  is_dead_.store(true, std::memory_order_release);
}

bool Context::is_closed() const { return is_dead() || is_forked_child() || is_in_callback(); }

void Context::require_open() const {
  if (is_forked_child()) {
    fail(ErrorCode::device,
         "{} cannot be used: CUDA does not work in a child process that was made by fork() after CUDA was started; "
         "start the child with exec(), or open devices in the children only",
         name_);
  }
  if (is_in_callback())
    fail(ErrorCode::argument, "{} cannot be used in a function that a stream calls: it must not use CUDA", name_);
  if (is_dead()) throw_dead();
}

void Context::throw_dead() const {
  fail(ErrorCode::device, "device {} cannot be used any more: {}; the process must be restarted", name_, reason_);
}

ContextScope::ContextScope(Context& context) : context_(context) {
  if (context_.is_closed()) [[unlikely]]
    context_.require_open();
  CUresult code = CUDA_SUCCESS;
  if (const AnyDriverFunction* failed = enter(code)) context_.raise(*failed, code, "making the context current");
}

ContextScope::ContextScope(Context& context, std::nothrow_t) noexcept : context_(context) {
  if (context_.is_closed()) return;
  CUresult code = CUDA_SUCCESS;
  if (const AnyDriverFunction* failed = enter(code)) context_.note(*failed, code, "making the context current");
}

/// The function that failed; null when none did.
const AnyDriverFunction* ContextScope::enter(CUresult& code) noexcept {
  const Driver& driver = context_.driver();
  code = driver.cuCtxGetCurrent(&previous_);
  if (code != CUDA_SUCCESS) return &driver.cuCtxGetCurrent;
  if (previous_ != context_.handle()) {
    code = driver.cuCtxPushCurrent(context_.handle());
    if (code != CUDA_SUCCESS) return &driver.cuCtxPushCurrent;
    is_pushed_ = true;
  }
  is_entered_ = true;
  return nullptr;
}

ContextScope::~ContextScope() {
  if (!is_pushed_) return;
  const Driver& driver = context_.driver();
  CUcontext popped = nullptr;
  if (context_.note(driver.cuCtxPopCurrent, driver.cuCtxPopCurrent(&popped), "leaving the context")) return;
  context_.note(driver.cuCtxSetCurrent, driver.cuCtxSetCurrent(previous_), "leaving the context");
}

}  // namespace jitc::runtime::cuda
