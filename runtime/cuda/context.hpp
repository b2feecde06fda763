// The primary context of one device: made current around every entry, and dead once something broke it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/driver_error.hpp"

namespace jitc::runtime::cuda {

/// Shared with all CUDA users of the process: retained here, never created, reset or configured. Safe from all threads.
class Context {
 public:
  /// Retains the primary context of `device`. Throws DriverError.
  Context(std::shared_ptr<const Driver> driver, CUdevice device, std::string name);
  /// Releases it, unless it is dead or the process a forked child.
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Driver& driver() const { return *driver_; }
  CUcontext handle() const { return handle_; }
  /// "cuda:0"
  const std::string& name() const { return name_; }

  // Every result of a call in the context goes through one of these three: a code that no later call survives kills it.

  /// Throws DriverError "<doing> on cuda:0: cuMemAlloc_v2 returned …" unless the call succeeded; the error of a dead
  /// context where it was dead before.
  template <class... Args>
  void check(const AnyDriverFunction& function, CUresult code, fmt::format_string<Args...> doing, Args&&... args) {
    if (code != CUDA_SUCCESS) [[unlikely]]
      raise(function, code, fmt::format(doing, std::forward<Args>(args)...));
  }
  /// `detail` goes to the end of the message.
  [[noreturn]] void raise(const AnyDriverFunction& function, CUresult code, std::string_view doing,
                          std::string_view detail = {});
  /// Whether the call succeeded, for those whose failure is no one's business, such as freeing.
  bool note(const AnyDriverFunction& function, CUresult code, std::string_view doing) noexcept;

  /// A kernel was launched; `title` lives as long as the process. What a kernel breaks shows up in a later call, whose
  /// error then names it.
  void note_launch(const char* title) { last_launch_.store(title, std::memory_order_relaxed); }

  /// No call in the context can succeed any more.
  bool is_dead() const { return is_dead_.load(std::memory_order_acquire); }
  /// Nothing may be asked of the driver: the context is dead, or process_state.hpp says so.
  bool is_closed() const;
  /// Throws Error that says why when is_closed().
  void require_open() const;

 private:
  void die(std::string_view reason) noexcept;
  std::string suspect(CUresult code) const;
  [[noreturn]] void throw_dead() const;

  std::shared_ptr<const Driver> driver_;
  CUdevice device_;
  std::string name_;
  CUcontext handle_ = nullptr;
  std::atomic<const char*> last_launch_{nullptr};
  std::atomic<bool> is_dead_{false};
  std::mutex mutex_;    // guards the way to is_dead_
  std::string reason_;  // of the death; fixed once is_dead_
};

/// Makes the context current in the calling thread, and what was current before it at the end.
class ContextScope {
 public:
  /// Throws what require_open() throws, and DriverError.
  explicit ContextScope(Context& context);
  /// Of destructors: to be tested before the driver is called.
  ContextScope(Context& context, std::nothrow_t) noexcept;
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

  explicit operator bool() const { return is_entered_; }

 private:
  const AnyDriverFunction* enter(CUresult& code) noexcept;

  Context& context_;
  CUcontext previous_ = nullptr;
  bool is_entered_ = false;
  bool is_pushed_ = false;
};

}  // namespace jitc::runtime::cuda
