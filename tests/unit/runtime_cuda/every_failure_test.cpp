// Every function of the driver fails, in each of its first calls, with each of the codes that matter: what the user
// sees is a typed error that names the call and the code, nothing leaks, and the next tour works or the device is dead.
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/driver_error.hpp"
#include "tests/fakes/fake_driver.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_cuda/tour.hpp"

using namespace jitc;
using namespace jitc::tests;
using runtime::cuda::CUresult;
using runtime::cuda::DriverFunctionInfo;

namespace {

// Out of memory, invalid value, illegal address, not ready, invalid PTX, no binary, deinitialised, ECC.
constexpr int kCodes[] = {2, 1, 700, 600, 218, 209, 4, 214};
constexpr uint64_t kCalls = 5;

/// What the last owner frees is asked for once: where the driver refuses, it stays.
bool is_last_release(const std::string& symbol) {
  static const std::set<std::string> symbols = {"cuDevicePrimaryCtxRelease_v2", "cuMemPoolDestroy", "cuEventDestroy_v2",
                                                "cuMemFreeHost", "cuMemFree_v2"};
  return symbols.count(symbol) != 0;
}

/// One failure and what comes of it.
class Trial {
 public:
  Trial(FakeDriver& fake, const FakePose& pose, const char* library, const FakeScript& script)
      : fake_(fake), library_(library), script_(script) {
    fake_->pose(pose);
    fake_->script(script);
  }

  void run() {
    const ThrownError thrown = error_of([&] { tour(library_); });
    CAPTURE(script_.function, script_.nth, script_.code, thrown.text);
    const bool is_deadly = runtime::cuda::is_sticky(static_cast<CUresult>(script_.code));
    if (thrown.code) check_text(thrown.text);
    if (is_deadly) return check_dead(thrown.code.has_value());
    check_books();
    CHECK(error_of([&] { tour(library_); }).text.empty());
  }

 private:
  void check_text(const std::string& text) const {
    // Who asks for the words of an error does not report that there are none.
    if (script_.function.starts_with("cuGetError")) return;
    // Not ready is what a question may be answered with.
    if (script_.function == "cuEventElapsedTime" && script_.code == 600) return;
    const std::string call = script_.function + " returned CUDA_ERROR_";
    const std::string code = "(" + std::to_string(script_.code) + "): ";
    CHECK(text.find(call) != std::string::npos);
    CHECK(text.find(code) != std::string::npos);
  }
  /// Who frees last may not hear of it; everyone else does. After the context's release there is no one left to tell.
  void check_dead(bool has_thrown) const {
    if (script_.function == "cuDevicePrimaryCtxRelease_v2") return;
    const ThrownError next = error_of([&] { tour(library_); });
    CHECK((has_thrown || next.code));
  }
  void check_books() const {
    if (is_last_release(script_.function)) return;
    CHECK(fake_->live() == FakeLive{});
    CHECK(fake_->misuses() == std::vector<std::string>{});
  }

  FakeDriver& fake_;
  const char* library_;
  FakeScript script_;
};

void try_all(const char* library, const FakePose& pose) {
  FakeDriver fake(library);
  fake->pose(pose);
  tour(library);
  CHECK(fake->live() == FakeLive{});
  CHECK(fake->misuses() == std::vector<std::string>{});
  std::map<std::string, uint64_t> counts;
  for (const DriverFunctionInfo& function : runtime::cuda::driver_functions())
    counts[function.symbol] = fake->count(function.symbol);
  for (const auto& [symbol, count] : counts) {
    for (uint64_t nth = 1; nth <= std::min(count, kCalls); ++nth) {
      for (const int code : kCodes) Trial(fake, pose, library, {.function = symbol, .nth = nth, .code = code}).run();
    }
  }
}

}  // namespace

TEST_CASE("every function of the driver may fail in each of its first calls with every code") {
  try_all(JITC_FAKE_CUDA, {});
}

TEST_CASE("also on a device without pools, over an old driver") { try_all(JITC_FAKE_CUDA_OLD, {}); }
