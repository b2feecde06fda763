// Every function of the driver fails, in each of its first calls, with each of the codes that matter: what the user
// sees is a typed error that names the call and the code, nothing leaks, and the next tour works or the device is dead.
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/driver_error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/unit/runtime_cuda/any_driver.hpp"
#include "tests/unit/runtime_cuda/tour.hpp"

using namespace jitc;
using namespace jitc::tests;
using runtime::cuda::CUresult;
using runtime::cuda::DriverFunctionInfo;

namespace {

struct Extent {
  uint64_t calls;  ///< the first of each function
  std::vector<int> codes;
};

/// A tour of the emulator has threads that wait for each other and takes many times as long.
Extent extent_for(const std::string& driver) {
  // Out of memory, invalid value, illegal address.
  if (driver == "emulator") return {3, {2, 1, 700}};
  // And not ready, invalid PTX, no binary, deinitialised, ECC.
  return {5, {2, 1, 700, 600, 218, 209, 4, 214}};
}

/// What the last owner frees is asked for once: where the driver refuses, it stays.
bool is_last_release(const std::string& symbol) {
  static const std::set<std::string> symbols = {"cuDevicePrimaryCtxRelease_v2", "cuMemPoolDestroy", "cuEventDestroy_v2",
                                                "cuMemFreeHost", "cuMemFree_v2"};
  return symbols.count(symbol) != 0;
}

struct Failure {
  std::string function;
  uint64_t nth = 1;
  int code = 0;
};

/// One failure and what comes of it.
class Trial {
 public:
  Trial(AnyDriver& driver, const Failure& failure) : driver_(driver), failure_(failure) {
    driver_.reset();
    driver_.fail(failure.function, failure.nth, failure.code);
  }

  void run() {
    const ThrownError thrown = error_of([&] { tour(driver_.library()); });
    CAPTURE(failure_.function, failure_.nth, failure_.code, thrown.text);
    const bool is_deadly = runtime::cuda::is_sticky(static_cast<CUresult>(failure_.code));
    if (thrown.code) check_text(thrown.text);
    if (is_deadly) return check_dead(thrown.code.has_value());
    if (!is_last_release(failure_.function)) CHECK(driver_.leftovers() == "");
    CHECK(error_of([&] { tour(driver_.library()); }).text.empty());
  }

 private:
  void check_text(const std::string& text) const {
    // Who asks for the words of an error does not report that there are none.
    if (failure_.function.starts_with("cuGetError")) return;
    // Not ready is what a question may be answered with.
    if (failure_.function == "cuEventElapsedTime" && failure_.code == 600) return;
    const std::string call = failure_.function + " returned CUDA_ERROR_";
    const std::string code = "(" + std::to_string(failure_.code) + "): ";
    CHECK(text.find(call) != std::string::npos);
    CHECK(text.find(code) != std::string::npos);
  }
  /// Who frees last may not hear of it; everyone else does. After the context's release there is no one left to tell.
  void check_dead(bool has_thrown) const {
    if (failure_.function == "cuDevicePrimaryCtxRelease_v2") return;
    const ThrownError next = error_of([&] { tour(driver_.library()); });
    CHECK((has_thrown || next.code));
  }

  AnyDriver& driver_;
  Failure failure_;
};

}  // namespace

TEST_CASE("every function of the driver may fail in each of its first calls with every code") {
  const std::string name = GENERATE(from_range(driver_names()));
  CAPTURE(name);
  const auto driver = make_driver(name);
  tour(driver->library());
  std::map<std::string, uint64_t> counts;
  for (const DriverFunctionInfo& function : runtime::cuda::driver_functions())
    counts[function.symbol] = driver->count(function.symbol);
  CHECK(driver->leftovers() == "");
  const Extent extent = extent_for(name);
  for (const auto& [symbol, count] : counts) {
    for (uint64_t nth = 1; nth <= std::min(count, extent.calls); ++nth) {
      for (const int code : extent.codes) Trial(*driver, {symbol, nth, code}).run();
    }
  }
}
