// What a code of the driver means, and how it is told.
#include "runtime/cuda/driver_error.hpp"

#include <catch2/catch.hpp>

#include "runtime/cuda/driver.hpp"
#include "tests/fakes/fake_driver.hpp"
#include "tests/support/error_text.hpp"

using namespace jitc;
using namespace jitc::runtime::cuda;
using jitc::tests::FakeDriver;
using jitc::tests::FakeLasting;

TEST_CASE("an error says what was being done, the call, its code and the code's text") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = Driver::load(JITC_FAKE_CUDA);
  CHECK_ERROR(check(driver->cuMemAlloc, CUDA_ERROR_OUT_OF_MEMORY, "allocating {} bytes", 64), ErrorCode::memory,
              "allocating 64 bytes: cuMemAlloc_v2 returned CUDA_ERROR_OUT_OF_MEMORY (2): out of memory");
}

TEST_CASE("a context follows the text") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = Driver::load(JITC_FAKE_CUDA);
  const DriverError error = make_driver_error(driver->cuModuleLoadDataEx, CUDA_ERROR_INVALID_PTX, "loading 'axpy'",
                                              "ptxas: line 7: syntax error");
  CHECK(error.what() == std::string("loading 'axpy': cuModuleLoadDataEx returned CUDA_ERROR_INVALID_PTX (218): the PTX "
                                    "does not compile; ptxas: line 7: syntax error"));
  CHECK(error.code() == ErrorCode::target);
}

TEST_CASE("success is no error") {
  const auto driver = Driver::load(JITC_FAKE_CUDA);
  CHECK_NOTHROW(check(driver->cuMemAlloc, CUDA_SUCCESS, "allocating"));
}

TEST_CASE("a driver that cannot name its own code leaves that to the list of codes") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = Driver::load(JITC_FAKE_CUDA);
  fake->script({"cuGetErrorName", 1, CUDA_ERROR_INVALID_VALUE, FakeLasting::forever, {}});
  fake->script({"cuGetErrorString", 1, CUDA_ERROR_INVALID_VALUE, FakeLasting::forever, {}});
  CHECK(make_driver_error(driver->cuInit, CUDA_ERROR_NOT_READY, "x").what() ==
        std::string("x: cuInit returned CUDA_ERROR_NOT_READY (600): not finished yet"));
}

TEST_CASE("a code that nobody can name is told by its number") {
  const FakeDriver fake(JITC_FAKE_CUDA);
  const auto driver = Driver::load(JITC_FAKE_CUDA);
  const DriverError error = make_driver_error(driver->cuInit, static_cast<CUresult>(12345), "x");
  CHECK(error.what() == std::string("x: cuInit returned an unnamed code (12345): the driver has no text for it"));
  CHECK(error.driver_code() == 12345);
  CHECK(error.code() == ErrorCode::device);
  CHECK_FALSE(is_sticky(static_cast<CUresult>(12345)));
}

TEST_CASE("codes become the kinds of error that callers tell apart") {
  CHECK(error_code_of(CUDA_ERROR_OUT_OF_MEMORY) == ErrorCode::memory);
  for (const CUresult code : {CUDA_ERROR_INVALID_PTX, CUDA_ERROR_NO_BINARY_FOR_GPU, CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
                              CUDA_ERROR_JIT_COMPILER_NOT_FOUND, CUDA_ERROR_INVALID_SOURCE, CUDA_ERROR_INVALID_IMAGE})
    CHECK(error_code_of(code) == ErrorCode::target);
  for (const CUresult code : {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE})
    CHECK(error_code_of(code) == ErrorCode::launch);
  for (const CUresult code : {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_UNKNOWN})
    CHECK(error_code_of(code) == ErrorCode::device);
}

TEST_CASE("codes that a context does not survive are sticky") {
  for (const int code : {4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721})
    CHECK(is_sticky(static_cast<CUresult>(code)));
  for (const int code : {0, 1, 2, 3, 201, 209, 218, 400, 600, 701, 720, 801, 999})
    CHECK_FALSE(is_sticky(static_cast<CUresult>(code)));
}

TEST_CASE("only a driver or context that is gone counts as shut down") {
  for (const int code : {4, 709}) CHECK(is_shutdown(static_cast<CUresult>(code)));
  for (const int code : {0, 3, 201, 700, 719}) CHECK_FALSE(is_shutdown(static_cast<CUresult>(code)));
}
