// The table of functions: every function under its name, every failure under its code.
#include "runtime/cuda/driver.hpp"

#include <catch2/catch.hpp>
#include <tuple>

#include "runtime/cuda/driver_error.hpp"
#include "tests/fakes/fake_driver.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;
using namespace jitc::runtime::cuda;
using jitc::tests::FakeDriver;
using jitc::tests::FakeLasting;

namespace {

/// A call whose arguments do not matter, because the script answers it.
template <class... Args>
CUresult call(const DriverFunction<CUresult(Args...)>& function) {
  return std::apply(function, std::tuple<Args...>{});
}

/// The function's first five calls, the `nth` of which fails.
template <class Function>
bool only_this_call_fails(const FakeDriver& fake, const Function& function, uint64_t nth, CUresult code) {
  for (uint64_t i = 1; i <= 5; ++i)
    fake->script({function.name(), i, i == nth ? code : CUDA_SUCCESS, FakeLasting::once, {}});
  bool all_as_scripted = true;
  for (uint64_t i = 1; i <= 5; ++i) all_as_scripted &= call(function) == (i == nth ? code : CUDA_SUCCESS);
  return all_as_scripted && fake->count(function.name()) == 5;
}

template <class Function>
void check_every_failure(const FakeDriver& fake, const Function& function) {
  CAPTURE(function.name());
  REQUIRE(function.available());
  for (const CUresult code :
       {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_NOT_READY,
        CUDA_ERROR_INVALID_PTX, CUDA_ERROR_NO_BINARY_FOR_GPU, CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_ECC_UNCORRECTABLE}) {
    for (uint64_t nth = 1; nth <= 5; ++nth) {
      fake->reset();
      if (!only_this_call_fails(fake, function, nth, code)) FAIL_CHECK(code << " at call " << nth);
    }
    fake->reset();
    const DriverError error = make_driver_error(function, code, "testing");
    const char *name = nullptr, *text = nullptr;
    function.driver().cuGetErrorName(code, &name);
    function.driver().cuGetErrorString(code, &text);
    CHECK(error.call() == function.name());
    CHECK(error.driver_code() == code);
    CHECK(error.code_name() == name);
    CHECK(error.code() == error_code_of(code));
    CHECK(error.what() == fmt::format("testing: {} returned {} ({}): {}", function.name(), name, int{code}, text));
  }
}

}  // namespace

TEST_CASE("any function may fail at any call with any code, and the error names them") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = Driver::load(JITC_FAKE_CUDA);
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) check_every_failure(fake, driver->name);
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
}

TEST_CASE("functions know the symbol behind them, and their row of the list") {
  const auto driver = Driver::load(JITC_FAKE_CUDA);
  CHECK(driver->cuMemAlloc.name() == std::string("cuMemAlloc_v2"));
  CHECK(driver->cuMemAlloc.info().name == std::string("cuMemAlloc"));
  CHECK(driver->cuMemAlloc.info().since == 3020);
  CHECK(driver->cuMemAlloc.info().is_required);
  CHECK_FALSE(driver->cuMemAllocAsync.info().is_required);
  CHECK(&driver->cuMemAlloc.driver() == driver.get());
}

TEST_CASE("no two functions share a symbol") {
  std::vector<std::string> symbols;
  for (const DriverFunctionInfo& info : driver_functions()) symbols.emplace_back(info.symbol);
  std::sort(symbols.begin(), symbols.end());
  CHECK(std::adjacent_find(symbols.begin(), symbols.end()) == symbols.end());
}

TEST_CASE("a function that an old driver lacks says so, and the others work") {
  const FakeDriver fake(JITC_FAKE_CUDA_OLD);
  const auto driver = Driver::load(JITC_FAKE_CUDA_OLD);
  CHECK(driver->version() == 11010);
  CHECK_FALSE(driver->cuMemAllocAsync.available());
  CUdeviceptr data = 0;
  CHECK_ERROR(driver->cuMemAllocAsync(&data, 64, nullptr), ErrorCode::device,
              "the CUDA driver '" JITC_FAKE_CUDA_OLD
              "' has no cuMemAllocAsync: drivers have it since version 11.2, and this one is 11.1");
  int count = 0;
  CHECK(driver->cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(count == 1);
}

TEST_CASE("several drivers live side by side") {
  const FakeDriver fake(JITC_FAKE_CUDA), old_fake(JITC_FAKE_CUDA_OLD);
  const auto driver = Driver::load(JITC_FAKE_CUDA), old_driver = Driver::load(JITC_FAKE_CUDA_OLD);
  fake->script({"cuDeviceGetCount", 1, CUDA_ERROR_NO_DEVICE, FakeLasting::once, {}});
  int count = 0;
  CHECK(driver->cuDeviceGetCount(&count) == CUDA_ERROR_NO_DEVICE);
  CHECK(old_driver->cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(driver->version() == 12080);
}

TEST_CASE("the null driver has every function, and launches do nothing") {
  const auto driver = Driver::load(JITC_NULL_CUDA);
#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args) CHECK(driver->name.available());
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION
  CUdeviceptr data = 0;
  CHECK(driver->cuMemAlloc(&data, 64) == CUDA_SUCCESS);
  CHECK(data != 0);
  CHECK(driver->cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
  CHECK(driver->cuMemFree(data) == CUDA_SUCCESS);
}
