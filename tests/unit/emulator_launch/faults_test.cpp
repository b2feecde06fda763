// Launches that cannot go on, and what is said of them.
#include <catch2/catch.hpp>

#include "tests/unit/emulator_launch/one_launch.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;
using Catch::Contains;

TEST_CASE("An access behind an allocation is reported with kernel, line, block, thread and allocation") {
  OneLaunch one(grid_text("setp.eq.u32 %p1, %r3, 37;\n@%p1 st.global.u32 [%rd1+4096], %r1;"));
  one.launch.grid = {4, 1, 1};
  one.launch.block = {16, 1, 1};
  const std::string report = one.run();
  CHECK(one.fault().kind == FaultKind::out_of_bounds);
  CHECK_THAT(report, Contains("kernel k: out of bounds write in k (PTX line 10), block (2, 0, 0), thread (5, 0, 0)"));
  CHECK_THAT(report, Contains("an allocation of 4096 bytes"));
}

TEST_CASE("A source line is reported where the text has it") {
  OneLaunch one(grid_text(".loc 1 77 3\nst.global.u32 [%rd1+1], %r1;", ".file 1 \"a.x\""));
  CHECK_THAT(one.run(), Contains("misaligned write in k (PTX line 10, source line 77)"));
}

TEST_CASE("An access outside shared memory is reported with its size") {
  OneLaunch one(grid_text("mov.u32 %r4, s; ld.shared.u32 %r5, [%r4+8];", ".shared .align 4 .b32 s[2];"));
  CHECK_THAT(one.run(), Contains("4 bytes at offset 8 of shared memory, which has 8 bytes"));
}

TEST_CASE("A trap stops the launch") {
  OneLaunch one(grid_text("setp.eq.u32 %p1, %r2, 3; @%p1 trap;"));
  one.launch.grid = {10, 1, 1};
  CHECK_THAT(one.run(), Contains("kernel k: trap in k"));
  CHECK(one.fault().kind == FaultKind::trap);
}

TEST_CASE("A fault ends blocks that wait for the one that had it") {
  OneLaunch one(
      grid_text("setp.eq.u32 %p1, %r2, 3; @%p1 trap; W: ld.volatile.global.u32 %r4, [%rd1];\n"
                "setp.eq.u32 %p2, %r4, 0; @%p2 bra W;"));
  one.launch.grid = {6, 1, 1};
  one.launch.is_cooperative = true;
  CHECK_THAT(one.run(), Contains("block (3, 0, 0)"));
}

TEST_CASE("A barrier that not all reach is a fault that names who waits where") {
  OneLaunch one(grid_text("setp.ge.u32 %p1, %r1, 32; @%p1 bra E;\nbar.sync 0; ret; E:\nbar.sync 1;"));
  one.launch.block = {64, 1, 1};
  const std::string report = one.run();
  CHECK(one.fault().kind == FaultKind::stuck);
  CHECK(report ==
        "kernel k: no thread can go on, block (0, 0, 0); threads: 32 wait at a barrier in k (PTX line 10), the first "
        "is (0, 0, 0); "
        "32 wait at a barrier in k (PTX line 11), the first is (32, 0, 0)");
}

TEST_CASE("Threads that look at a word that nobody writes are a fault, not a hang") {
  OneLaunch one(
      grid_text("mov.u32 %r4, 0;\nW: add.u32 %r4, %r4, 1; and.b32 %r4, %r4, 3; ld.volatile.global.u32 %r5, [%rd1];\n"
                "setp.eq.u32 %p1, %r5, 0; @%p1 bra W;"));
  one.launch.grid = {3, 1, 1};
  CHECK_THAT(one.run(), Contains("kernel k: no thread can go on, block"));
  CHECK(one.fault().kind == FaultKind::stuck);
}

TEST_CASE("Blocks that wait for one that has ended are a fault, not a hang") {
  OneLaunch one(
      grid_text("setp.eq.u32 %p1, %r2, 1; @%p1 exit; atom.global.add.u32 %r5, [%rd1], 1;\n"
                "W: atom.global.or.b32 %r6, [%rd1], 0; setp.lt.u32 %p2, %r6, 4; @%p2 bra W;"));
  one.launch.grid = {4, 1, 1};
  one.launch.is_cooperative = true;
  CHECK(!one.run().empty());
  CHECK(one.fault().kind == FaultKind::stuck);
}

TEST_CASE("Threads that count for long without a store go on") {
  OneLaunch one(
      grid_text("mov.u32 %r4, 0; L: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 2000000; @%p1 bra L;\n"
                "st.global.u32 [%rd2], %r4;"));
  REQUIRE(one.run().empty());
  CHECK(one.word(0) == 2000000);
}

constexpr std::string_view kHeap =
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);";

TEST_CASE("malloc and free are refused by name") {
  const char* malloc_call = "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call (r), malloc, (n); }";
  const char* free_call = "{ .param .b64 n; st.param.b64 [n], %rd1; call free, (n); }";
  OneLaunch first(grid_text(malloc_call, kHeap)), second(grid_text(free_call, kHeap));
  CHECK_THAT(first.run(), Contains(": malloc: kernels have no heap here"));
  CHECK(first.fault().kind == FaultKind::refused_call);
  CHECK_THAT(second.run(), Contains(": free: kernels have no heap here"));
}

TEST_CASE("A failed assertion is reported with what its caller says") {
  OneLaunch one(grid_text(
      "setp.ne.u32 %p1, %r1, 2; @%p1 bra E; mov.u64 %rd3, m; cvta.global.u64 %rd3, %rd3; mov.u64 %rd4, f;\n"
      "cvta.global.u64 %rd4, %rd4;\n"
      "{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; st.param.b64 [a], %rd3;\n"
      "st.param.b64 [b], %rd4; st.param.b32 [c], 12; st.param.b64 [d], %rd4; st.param.b64 [e], 1;\n"
      "call __assertfail, (a, b, c, d, e); } E:",
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
      ".global .align 1 .b8 m[6] = {120, 32, 62, 32, 48, 0}; .global .align 1 .b8 f[2] = {102, 0};"));
  one.launch.block = {4, 1, 1};
  const std::string report = one.run();
  CHECK(one.fault().kind == FaultKind::assertion);
  CHECK_THAT(report, Contains("thread (2, 0, 0): f:12: f: Assertion `x > 0` failed"));
}

}  // namespace
}  // namespace jitc::emulator_test
