// The emulator as one of any.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "jitc/emulator.h"
#include "runtime/cuda/driver.hpp"
#include "tests/unit/runtime_cuda/any_driver.hpp"

namespace jitc::tests {
namespace {

using runtime::cuda::CUDA_SUCCESS;

const JitcEmulatorControl& load_control() {
  void* handle = dlopen(JITC_CUDAEMU, RTLD_NOW | RTLD_LOCAL);
  void* entry = handle == nullptr ? nullptr : dlsym(handle, "jitc_emulator_control");
  if (entry == nullptr) throw std::runtime_error("no emulator at " JITC_CUDAEMU);
  return *reinterpret_cast<decltype(&jitc_emulator_control)>(entry)();
}

class EmulatorAnyDriver : public AnyDriver {
 public:
  EmulatorAnyDriver() { reset(); }
  ~EmulatorAnyDriver() override { let_go(); }

  const char* library() const override { return JITC_CUDAEMU; }
  /// The context is kept alive: what is left in it would go with it.
  void reset() override {
    let_go();
    driver_->cuDevicePrimaryCtxRetain(&context_, 0);
    before_ = objects();
    control_.set_fails(nullptr);
  }
  void fail(const std::string& symbol, uint64_t nth, int code) override {
    if (control_.set_fails(fmt::format("{}:{}:{}", symbol, nth, code).c_str()) == 0)
      throw std::invalid_argument("the emulator has no function " + symbol);
  }
  uint64_t count(const std::string& symbol) const override { return control_.calls(symbol.c_str()); }
  /// Streams are threads: nothing need be done for work to come later than its call.
  void hold() override {}
  void set_kernel(const FakeKernel&) override {}
  size_t pinned() const override {
    const Objects now = objects();
    const auto is_host = [](const JitcEmulatorCounter& row) { return row.name == std::string_view("host"); };
    return std::find_if(now.begin(), now.end(), is_host)->value;
  }
  std::string leftovers() override {
    control_.set_fails(nullptr);
    std::string out;
    if (driver_->cuCtxPopCurrent(nullptr) == CUDA_SUCCESS) out += "a current context; ";
    driver_->cuCtxPushCurrent(context_);
    driver_->cuCtxSynchronize();
    driver_->cuCtxPopCurrent(nullptr);
    const Objects now = objects();
    for (size_t i = 0; i < now.size(); ++i) {
      if (now[i].value != before_[i].value)
        out += fmt::format("{} {}, {} before; ", now[i].value, now[i].name, before_[i].value);
    }
    return out;
  }

 private:
  using Objects = std::vector<JitcEmulatorCounter>;

  Objects objects() const {
    Objects out(control_.objects(nullptr, 0));
    control_.objects(out.data(), out.size());
    return out;
  }
  /// A context that a code broke is as new when no one retains it any more; whoever worked in it does not let go.
  void let_go() const {
    control_.set_fails(nullptr);
    while (driver_->cuCtxPopCurrent(nullptr) == CUDA_SUCCESS) continue;
    while (driver_->cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS) continue;
  }

  const JitcEmulatorControl& control_ = load_control();
  std::shared_ptr<const runtime::cuda::Driver> driver_ = runtime::cuda::Driver::load(JITC_CUDAEMU);
  runtime::cuda::CUcontext context_ = nullptr;
  Objects before_;
};

}  // namespace

std::unique_ptr<AnyDriver> make_emulator_driver() { return std::make_unique<EmulatorAnyDriver>(); }

}  // namespace jitc::tests
