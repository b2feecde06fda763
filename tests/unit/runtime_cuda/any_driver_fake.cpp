// The scripted driver as one of any, with what stands for the kernels of fill_kernels.hpp.
#include <fmt/format.h>

#include "tests/unit/runtime_cuda/any_driver.hpp"
#include "tests/unit/runtime_cuda/fill_kernels.hpp"

namespace jitc::tests {
namespace {

struct LiveRow {
  const char* name;
  size_t FakeLive::*count;
};

constexpr LiveRow kLive[] = {{"allocations", &FakeLive::allocations},
                             {"bytes", &FakeLive::bytes},
                             {"pinned", &FakeLive::pinned},
                             {"registered", &FakeLive::registered},
                             {"pools", &FakeLive::pools},
                             {"streams", &FakeLive::streams},
                             {"events", &FakeLive::events},
                             {"modules", &FakeLive::modules},
                             {"graphs", &FakeLive::graphs},
                             {"links", &FakeLive::links},
                             {"contexts", &FakeLive::contexts}};

class FakeAnyDriver : public AnyDriver {
 public:
  explicit FakeAnyDriver(const char* library) : library_(library), fake_(library) { reset(); }

  const char* library() const override { return library_; }
  void reset() override {
    fake_->pose({});
    fake_->set_kernel(run_fill);
  }
  void fail(const std::string& symbol, uint64_t nth, int code) override {
    fake_->script({.function = symbol, .nth = nth, .code = code});
  }
  uint64_t count(const std::string& symbol) const override { return fake_->count(symbol); }
  void hold() override { fake_->hold(); }
  void set_kernel(const FakeKernel& kernel) override { fake_->set_kernel(kernel); }
  size_t pinned() const override { return fake_->live().pinned; }
  std::string leftovers() override {
    std::string out;
    const FakeLive live = fake_->live();
    for (const auto& [name, count] : kLive) {
      if (live.*count != 0) out += fmt::format("{} {}; ", live.*count, name);
    }
    for (const std::string& misuse : fake_->misuses()) out += misuse + "; ";
    return out;
  }

 private:
  const char* library_;
  FakeDriver fake_;
};

}  // namespace

std::unique_ptr<AnyDriver> make_fake_driver(const char* library) { return std::make_unique<FakeAnyDriver>(library); }

}  // namespace jitc::tests
