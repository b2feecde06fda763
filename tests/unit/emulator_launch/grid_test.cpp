// Blocks of a grid: each runs once, and those that wait for each other let each other go on.
#include <catch2/catch.hpp>

#include "tests/unit/emulator_launch/one_launch.hpp"

namespace jitc::emulator_test {
namespace {

constexpr const char* kStoreThread = "st.global.u32 [%rd2], %r3;";

TEST_CASE("Every thread of every block runs once") {
  OneLaunch one(grid_text("red.global.add.u32 [%rd2], %r3;"));
  one.launch.grid = {20, 1, 1};
  one.launch.block = {50, 1, 1};
  REQUIRE(one.run().empty());
  for (uint32_t i = 0; i < 1000; ++i) CHECK(one.word(i) == i);
  CHECK(one.word(1000) == 0);
}

TEST_CASE("Blocks have their places in three dimensions") {
  OneLaunch one(
      grid_text("mov.u32 %r4, %ctaid.y; mov.u32 %r5, %ctaid.z; mad.lo.u32 %r6, %r5, 3, %r4;\n"
                "mad.lo.u32 %r6, %r6, 2, %r2; mul.wide.u32 %rd3, %r6, 4; add.u64 %rd3, %rd1, %rd3;\n"
                "red.global.add.u32 [%rd3], 1;"));
  one.launch.grid = {2, 3, 4};
  REQUIRE(one.run().empty());
  for (uint32_t i = 0; i < 24; ++i) CHECK(one.word(i) == 1);
  CHECK(one.word(24) == 0);
}

TEST_CASE("Threads of a block share memory, static and dynamic, and no other block's") {
  OneLaunch one(
      grid_text("mov.u32 %r4, d; mad.lo.u32 %r5, %r1, 4, %r4; st.shared.u32 [%r5], %r3; bar.sync 0;\n"
                "xor.b32 %r6, %r1, 63; mad.lo.u32 %r5, %r6, 4, %r4; ld.shared.u32 %r7, [%r5];\n"
                "st.global.u32 [%rd2], %r7;",
                ".shared .align 4 .b32 s[2]; .extern .shared .align 4 .b32 d[];"));
  one.launch.grid = {8, 1, 1};
  one.launch.block = {64, 1, 1};
  one.launch.dynamic_shared_bytes = 256;
  REQUIRE(one.run().empty());
  for (uint32_t i = 0; i < 512; ++i) CHECK(one.word(i) == (i ^ 63));
}

TEST_CASE("Atomics of blocks on different host threads lose nothing") {
  OneLaunch one(
      grid_text("mov.u32 %r4, 0; L: red.global.add.u32 [%rd1], 1; add.u32 %r4, %r4, 1;\n"
                "setp.lt.u32 %p1, %r4, 100; @%p1 bra L;"));
  one.launch.grid = {16, 1, 1};
  one.launch.block = {32, 1, 1};
  REQUIRE(one.run().empty());
  CHECK(one.word(0) == 16 * 32 * 100);
}

/// All blocks arrive at a word and look at it until all have.
constexpr const char* kGridBarrier =
    "setp.ne.u32 %p1, %r1, 0; @%p1 bra B; mov.u32 %r4, %nctaid.x; atom.global.add.u32 %r5, [%rd1], 1;\n"
    "W: ld.volatile.global.u32 %r6, [%rd1]; setp.lt.u32 %p2, %r6, %r4; @%p2 bra W; membar.gl;\n"
    "B: bar.sync 0; ld.volatile.global.u32 %r7, [%rd1]; st.global.u32 [%rd2+4], %r7;";

TEST_CASE("Blocks of a cooperative launch wait for each other, on one host thread too") {
  for (const uint32_t host_threads : {1u, 3u}) {
    OneLaunch one(grid_text(kGridBarrier));
    one.launch.grid = {100, 1, 1};
    one.launch.is_cooperative = true;
    one.launch.host_threads = host_threads;
    REQUIRE(one.run().empty());
    for (uint32_t i = 1; i <= 100; ++i) CHECK(one.word(i) == 100);
  }
}

TEST_CASE("A block of an ordinary launch may wait for one behind it") {
  OneLaunch one(
      grid_text("setp.ne.u32 %p1, %r2, 0; @%p1 bra S; W: ld.volatile.global.u32 %r4, [%rd1+64];\n"
                "setp.eq.u32 %p2, %r4, 0; @%p2 bra W; st.global.u32 [%rd2], 7; ret;\n"
                "S: st.volatile.global.u32 [%rd1+64], 1;"));
  one.launch.grid = {2, 1, 1};
  one.launch.host_threads = 1;
  REQUIRE(one.run().empty());
  CHECK(one.word(0) == 7);
}

TEST_CASE("A grid runs on one host thread as on many") {
  OneLaunch one(grid_text(kStoreThread));
  one.launch.grid = {10, 1, 1};
  one.launch.block = {33, 1, 1};
  one.launch.host_threads = 1;
  REQUIRE(one.run().empty());
  for (uint32_t i = 0; i < 330; ++i) CHECK(one.word(i) == i);
}

TEST_CASE("The grid's number and multiprocessors are shown to its threads") {
  OneLaunch one(
      grid_text("mov.u64 %rd3, %gridid; cvt.u32.u64 %r4, %rd3; mov.u32 %r5, %nsmid; mov.u32 %r6, %smid;\n"
                "mad.lo.u32 %r4, %r4, 100, %r5; mad.lo.u32 %r4, %r4, 10, %r6; st.global.u32 [%rd2], %r4;"));
  one.launch.grid = {5, 1, 1};
  one.launch.grid_id = 9;
  one.launch.multiprocessors = 4;
  REQUIRE(one.run().empty());
  for (uint32_t i = 0; i < 5; ++i) CHECK(one.word(i) == 9040 + i % 4);
}

}  // namespace
}  // namespace jitc::emulator_test
