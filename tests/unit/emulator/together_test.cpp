// Threads that diverge, meet and wait for each other.
#include <catch2/catch.hpp>

#include "tests/unit/emulator/one_block.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

/// %r1 is the thread's number, %rd2 the address of its word of global memory.
std::string threads_text(std::string_view body, std::string_view declarations = {}) {
  return kernel_text(fmt::format("mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n{}", body),
                     declarations);
}

/// The first words of global memory after `count` threads ran to their end.
std::vector<uint32_t> words_after(const std::string& text, uint32_t count) {
  OneBlock block(text, {count});
  REQUIRE(block.run() == BlockState::ended);
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < count; ++i) words.push_back(block.global<uint32_t>(i));
  return words;
}

template <class Expected>
void check_words(const std::string& text, uint32_t count, Expected expected) {
  const std::vector<uint32_t> words = words_after(text, count);
  for (uint32_t i = 0; i < count; ++i) {
    CAPTURE(i);
    CHECK(words[i] == static_cast<uint32_t>(expected(i)));
  }
}

FaultKind fault_of(const std::string& text, uint32_t count) {
  OneBlock block(text, {count});
  REQUIRE(block.run() == BlockState::fault);
  return block.fault().kind;
}

TEST_CASE("Threads have their own numbers in three dimensions") {
  OneBlock block(kernel_text("mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x;\n"
                             "mad.lo.u32 %r5, %r3, 2, %r2; mad.lo.u32 %r5, %r5, %r4, %r1; mul.wide.u32 %rd2, %r5, 4;\n"
                             "add.u64 %rd2, %rd1, %rd2; mov.u32 %r6, %laneid; st.global.u32 [%rd2], %r6;"),
                 {5, 2, 4});
  REQUIRE(block.run() == BlockState::ended);
  for (uint32_t i = 0; i < 40; ++i) CHECK(block.global<uint32_t>(i) == i % 32);
}

TEST_CASE("Threads that branch apart join behind it") {
  check_words(threads_text("and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, 100; @%p1 bra E;\n"
                           "mov.u32 %r3, 200; E: activemask.b32 %r4; popc.b32 %r5, %r4; add.u32 %r3, %r3, %r5;\n"
                           "st.global.u32 [%rd2], %r3;"),
              32, [](uint32_t i) { return (i % 2 == 0 ? 100 : 200) + 32; });
}

TEST_CASE("Threads leave a loop apart") {
  check_words(threads_text("mov.u32 %r2, 0; mov.u32 %r3, 0; L: add.u32 %r3, %r3, %r2; add.u32 %r2, %r2, 1;\n"
                           "setp.le.u32 %p1, %r2, %r1; @%p1 bra L; st.global.u32 [%rd2], %r3;"),
              48, [](uint32_t i) { return i * (i + 1) / 2; });
}

TEST_CASE("Threads jump through a table apart") {
  check_words(threads_text("rem.u32 %r2, %r1, 3; t: .branchtargets A, B; mov.u32 %r3, 7; brx.idx %r2, t; bra E;\n"
                           "A: mov.u32 %r3, 5; bra E; B: mov.u32 %r3, 6; E: st.global.u32 [%rd2], %r3;"),
              32, [](uint32_t i) { return i % 3 == 2 ? 7 : 5 + i % 3; });
}

TEST_CASE("Threads call apart, return apart and call different functions") {
  const char* functions =
      ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<3>; .reg .pred %p; ld.param.b32 %r1, [a];\n"
      " setp.lt.u32 %p, %r1, 8; @%p bra S; add.u32 %r1, %r1, 100; st.param.b32 [r], %r1; ret;\n"
      " S: st.param.b32 [r], %r1; ret; }\n"
      ".func (.param .b32 r) g(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r1, [a]; neg.s32 %r1, %r1;"
      " st.param.b32 [r], %r1; ret; }\n";
  check_words(threads_text("p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                           "mov.u64 %rd3, f; mov.u64 %rd4, g; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1;\n"
                           "selp.b64 %rd5, %rd3, %rd4, %p1; mov.u32 %r3, 9; setp.ne.u32 %p2, %r1, 5;\n"
                           "@%p2 call (%r3), %rd5, (%r1), p; st.global.u32 [%rd2], %r3;",
                           functions),
              32, [](uint32_t i) {
                return i == 5 ? 9 : i % 2 == 0 ? 0 - i : i < 8 ? i : i + 100;
              });
}

TEST_CASE("Shuffles exchange values in segments") {
  check_words(threads_text("shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1; st.global.u32 [%rd2], %r2;"), 32,
              [](uint32_t i) { return i ^ 5; });
  check_words(
      threads_text("shfl.sync.up.b32 %r2|%p1, %r1, 3, 0, -1; selp.b32 %r2, %r2, 99, %p1; st.global.u32 [%rd2], %r2;"),
      32, [](uint32_t i) { return i < 3 ? 99 : i - 3; });
  check_words(threads_text("shfl.sync.down.b32 %r2, %r1, 2, 0x1807, -1; st.global.u32 [%rd2], %r2;"), 32,
              [](uint32_t i) { return i % 8 + 2 < 8 ? i + 2 : i; });
  check_words(threads_text("shfl.sync.idx.b32 %r2, %r1, 1, 0x181f, -1; st.global.u32 [%rd2], %r2;"), 32,
              [](uint32_t i) { return i / 8 * 8 + 1; });
}

TEST_CASE("Votes count all lanes of the mask") {
  check_words(threads_text("setp.lt.u32 %p1, %r1, 3; vote.sync.ballot.b32 %r2, %p1, -1; st.global.u32 [%rd2], %r2;"),
              32, [](uint32_t) { return 7; });
  check_words(
      threads_text("setp.lt.u32 %p1, %r1, 3; vote.sync.any.pred %p2, %p1, -1; vote.sync.all.pred %p3, %p1, -1;\n"
                   "vote.sync.uni.pred %p4, !%p1, -1; selp.u32 %r2, 1, 0, %p2; selp.u32 %r3, 2, 0, %p3;\n"
                   "selp.u32 %r4, 4, 0, %p4; or.b32 %r2, %r2, %r3; or.b32 %r2, %r2, %r4; st.global.u32 [%rd2], %r2;"),
      32, [](uint32_t) { return 1; });
}

TEST_CASE("Matches, reductions and elections see every lane") {
  check_words(threads_text("and.b32 %r2, %r1, 3; match.any.sync.b32 %r3, %r2, -1; st.global.u32 [%rd2], %r3;"), 32,
              [](uint32_t i) { return 0x11111111u << i % 4; });
  check_words(threads_text("match.all.sync.b32 %r3|%p1, 5, -1; selp.u32 %r2, %r3, 0, %p1; st.global.u32 [%rd2], %r2;"),
              32, [](uint32_t) { return 0xffffffff; });
  check_words(threads_text("sub.s32 %r2, %r1, 10; redux.sync.min.s32 %r3, %r2, -1; redux.sync.add.u32 %r4, %r1, -1;\n"
                           "add.u32 %r3, %r3, %r4; st.global.u32 [%rd2], %r3;"),
              32, [](uint32_t) { return 496 - 10; });
  check_words(threads_text("elect.sync _|%p1, -1; selp.u32 %r2, 1, 0, %p1; st.global.u32 [%rd2], %r2;"), 32,
              [](uint32_t i) { return i == 0; });
}

TEST_CASE("Lanes of a mask meet though they come by different ways") {
  check_words(threads_text("mov.u32 %r5, 65535; setp.lt.u32 %p1, %r1, 16; @%p1 bra A; shl.b32 %r5, %r5, 16;\n"
                           "mov.u32 %r6, 3; bra M; A: mov.u32 %r6, 1; M: shfl.sync.bfly.b32 %r2, %r1, %r6, 31, %r5;\n"
                           "st.global.u32 [%rd2], %r2;"),
              32, [](uint32_t i) { return i < 16 ? i ^ 1 : i ^ 3; });
}

TEST_CASE("Lanes that have ended are not waited for") {
  check_words(threads_text("setp.lt.u32 %p1, %r1, 4; mov.u32 %r2, 0; @%p1 exit;\n"
                           "vote.sync.ballot.b32 %r2, 1, -1; st.global.u32 [%rd2], %r2;"),
              32, [](uint32_t i) { return i < 4 ? 0 : 0xfffffff0; });
}

TEST_CASE("A lane outside its own mask is a fault") {
  CHECK(fault_of(threads_text("shfl.sync.idx.b32 %r2, %r1, 0, 31, 1;"), 32) == FaultKind::not_in_mask);
}

TEST_CASE("Lanes that wait for one that does not come are stuck, and named") {
  OneBlock block(
      threads_text("setp.eq.u32 %p1, %r1, 7; @%p1 bra B; bar.warp.sync -1; ret; B: vote.sync.any.pred %p2, 1, -1;"),
      {32});
  REQUIRE(block.run() == BlockState::stuck);
  uint32_t lanes = 0;
  for (const WaitingThreads& threads : block.waiting()) lanes |= threads.lanes;
  CHECK(block.waiting().size() == 2);
  CHECK(lanes == 0xffffffff);
}

constexpr std::string_view kShared = ".shared .align 4 .b32 s[128];";

TEST_CASE("A barrier orders stores and loads of a block") {
  check_words(
      threads_text(
          "mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], %r1; bar.sync 0;\n"
          "sub.u32 %r4, 99, %r1; mad.lo.u32 %r3, %r4, 4, %r2; ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd2], %r5;",
          kShared),
      100, [](uint32_t i) { return 99 - i; });
}

TEST_CASE("A barrier counts, or asks all") {
  check_words(
      threads_text(
          "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; bar.red.popc.u32 %r3, 1, %p1;\n"
          "bar.red.and.pred %p2, 0, 64, %p1; bar.red.or.pred %p3, 0, !%p1; selp.u32 %r4, 100, 0, %p2;\n"
          "selp.u32 %r5, 1000, 0, %p3; add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; st.global.u32 [%rd2], %r3;"),
      64, [](uint32_t) { return 32 + 1000; });
}

TEST_CASE("Some warps arrive where others wait") {
  check_words(
      threads_text(
          "mov.u32 %r2, s; setp.lt.u32 %p1, %r1, 32; @%p1 bra P; bar.sync 1, 64; ld.shared.u32 %r3, [%r2];\n"
          "st.global.u32 [%rd2], %r3; ret; P: st.shared.u32 [%r2], 77; bar.arrive 1, 64; st.global.u32 [%rd2], 1;",
          kShared),
      64, [](uint32_t i) { return i < 32 ? 1 : 77; });
}

TEST_CASE("Threads that have ended are not counted at a barrier") {
  check_words(threads_text("setp.ge.u32 %p1, %r1, 40; @%p1 exit; bar.sync 0; st.global.u32 [%rd2], 3;"), 64,
              [](uint32_t i) { return i < 40 ? 3 : 0; });
}

TEST_CASE("A barrier that only part of a warp reaches is stuck") {
  OneBlock block(threads_text("setp.lt.u32 %p1, %r1, 4; @%p1 bra E; bar.sync 0; E: bar.sync 1;"), {32});
  CHECK(block.run() == BlockState::stuck);
  CHECK(block.waiting().size() == 2);
}

TEST_CASE("A barrier that is not aligned is reached by threads apart") {
  check_words(threads_text("setp.lt.u32 %p1, %r1, 4; @%p1 bra A; barrier.sync 0; bra E; A: barrier.sync 0; E:\n"
                           "st.global.u32 [%rd2], 1;"),
              32, [](uint32_t) { return 1; });
}

TEST_CASE("A thread that spins lets the one that holds the lock go on") {
  check_words(
      threads_text("mov.u32 %r2, s; L: atom.shared.cas.b32 %r3, [%r2], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra L;\n"
                   "ld.volatile.shared.u32 %r4, [%r2+4]; add.u32 %r4, %r4, 1; st.volatile.shared.u32 [%r2+4], %r4;\n"
                   "membar.cta; atom.shared.exch.b32 %r3, [%r2], 0; st.global.u32 [%rd2], 1; bar.sync 0;\n"
                   "ld.shared.u32 %r4, [%r2+4]; st.global.u32 [%rd2], %r4;",
                   kShared),
      64, [](uint32_t) { return 64; });
}

TEST_CASE("A thread that waits for a flag sees it set by a thread behind it") {
  check_words(
      threads_text("mov.u32 %r2, s; setp.eq.u32 %p1, %r1, 0; @%p1 bra W; st.volatile.shared.u32 [%r2], 1; bra E;\n"
                   "W: ld.volatile.shared.u32 %r3, [%r2]; setp.eq.u32 %p2, %r3, 0; @%p2 bra W;\n"
                   "E: st.global.u32 [%rd2], 4;",
                   kShared),
      64, [](uint32_t) { return 4; });
}

}  // namespace
}  // namespace jitc::emulator_test
