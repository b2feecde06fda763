// CUDA's limits of a launch, and the words for what breaks them.
#include "runtime/common/launch_limits.hpp"

#include <catch2/catch.hpp>

#include "tests/support/error_text.hpp"

using namespace jitc;

namespace {

void validate(Dim3 grid, Dim3 block, uint32_t max_threads = 1024) {
  runtime::validate_launch("k", {max_threads}, {grid, block});
}

}  // namespace

TEST_CASE("launches up to CUDA's limits pass") {
  CHECK_NOTHROW(validate({2147483647, 65535, 65535}, {1024, 1, 1}));
  CHECK_NOTHROW(validate({1, 1, 1}, {1, 1024, 1}));
  CHECK_NOTHROW(validate({1, 1, 1}, {4, 4, 64}));
  CHECK_NOTHROW(validate({1, 1, 1}, {16, 16, 1}, 256));
}

TEST_CASE("shared memory has a limit, the kernel's own counted") {
  const LaunchConfig config{{1}, {32}, 200'000};
  CHECK_NOTHROW(runtime::validate_launch("k", {1024, 32'448}, config));
  CHECK_ERROR(
      runtime::validate_launch("k", {1024, 32'452}, config), ErrorCode::launch,
      "invalid configuration of kernel 'k': 200000 bytes of dynamic shared memory beside the kernel's own 32452, "
      "the limit is 232448 together");
}

TEST_CASE("a kernel that waits for its whole grid has few blocks") {
  const runtime::LaunchNeeds needs{.cooperative = true};
  CHECK_NOTHROW(runtime::validate_launch("k", needs, {{4096, 2, 1}, {32}}));
  const std::string tail =
      " for a kernel that waits for its whole grid, whose blocks must all run at once; the limit is 8192 blocks";
  CHECK_ERROR(runtime::validate_launch("k", needs, {{4097, 2, 1}, {32}}), ErrorCode::launch,
              "invalid configuration of kernel 'k': a grid of (4097, 2, 1)" + tail);
  CHECK_ERROR(runtime::validate_launch("k", needs, {{2147483647, 65535, 65535}, {32}}), ErrorCode::launch,
              "invalid configuration of kernel 'k': a grid of (2147483647, 65535, 65535)" + tail);
}

TEST_CASE("each axis of the grid has its limit") {
  const std::string head = "invalid configuration of kernel 'k': ";
  CHECK_ERROR(validate({2147483648u, 1, 1}, {}), ErrorCode::launch,
              head + "grid.x is 2147483648, it must be from 1 to 2147483647");
  CHECK_ERROR(validate({1, 65536, 1}, {}), ErrorCode::launch, head + "grid.y is 65536, it must be from 1 to 65535");
  CHECK_ERROR(validate({1, 1, 65536}, {}), ErrorCode::launch, head + "grid.z is 65536, it must be from 1 to 65535");
}

TEST_CASE("each axis of the block has its limit") {
  const std::string head = "invalid configuration of kernel 'k': ";
  CHECK_ERROR(validate({}, {1025, 1, 1}), ErrorCode::launch, head + "block.x is 1025, it must be from 1 to 1024");
  CHECK_ERROR(validate({}, {1, 1025, 1}), ErrorCode::launch, head + "block.y is 1025, it must be from 1 to 1024");
  CHECK_ERROR(validate({}, {1, 1, 65}), ErrorCode::launch, head + "block.z is 65, it must be from 1 to 64");
}

TEST_CASE("zero is refused on every axis") {
  const std::string head = "invalid configuration of kernel 'k': ";
  CHECK_ERROR(validate({0, 1, 1}, {}), ErrorCode::launch, head + "grid.x is 0, it must be from 1 to 2147483647");
  CHECK_ERROR(validate({1, 0, 1}, {}), ErrorCode::launch, head + "grid.y is 0, it must be from 1 to 65535");
  CHECK_ERROR(validate({1, 1, 0}, {}), ErrorCode::launch, head + "grid.z is 0, it must be from 1 to 65535");
  CHECK_ERROR(validate({}, {0, 1, 1}), ErrorCode::launch, head + "block.x is 0, it must be from 1 to 1024");
  CHECK_ERROR(validate({}, {1, 0, 1}), ErrorCode::launch, head + "block.y is 0, it must be from 1 to 1024");
  CHECK_ERROR(validate({}, {1, 1, 0}), ErrorCode::launch, head + "block.z is 0, it must be from 1 to 64");
}

TEST_CASE("a block has at most 1024 threads, or what the kernel's launch bounds allow") {
  CHECK_ERROR(validate({}, {32, 32, 2}), ErrorCode::launch,
              "invalid configuration of kernel 'k': a block of (32, 32, 2) has 2048 threads, the limit is 1024");
  CHECK_ERROR(validate({}, {257, 1, 1}, 256), ErrorCode::launch,
              "invalid configuration of kernel 'k': a block of (257, 1, 1) has 257 threads, the kernel's launch bounds "
              "allow 256");
}
