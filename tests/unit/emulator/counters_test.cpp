#include <catch2/catch.hpp>
#include <set>

#include "runtime/emulator/counters/counting_observer.hpp"
#include "tests/unit/emulator/one_block.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

/// What a block with this body counts. %r1 is the thread's number, %rd1 + 4 · %r1 is in %rd2.
Counters counts_of(const std::string& body, const std::string& declarations = {}, Extent block = {32, 1, 1}) {
  OneBlock ran(kernel_text("mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n" + body, declarations), block);
  CountingObserver observer;
  ran.observe(observer);
  REQUIRE(ran.run() == BlockState::ended);
  return observer.counters();
}

TEST_CASE("Sectors are those that the lanes of a request touch, each once") {
  const struct {
    const char* body;
    uint64_t sectors, bytes;
  } rows[] = {
      {"ld.global.u32 %r2, [%rd2];", 4, 128},
      {"ld.global.u8 %r2, [%rd2];", 4, 32},
      {"ld.global.u32 %r2, [%rd1];", 1, 128},
      {"ld.global.u32 %r2, [%rd2+4];", 5, 128},
      {"mad.wide.u32 %rd2, %r1, 8, %rd1; ld.global.u32 %r2, [%rd2];", 8, 128},
      {"mad.wide.u32 %rd2, %r1, 32, %rd1; ld.global.u32 %r2, [%rd2];", 32, 128},
      {"mad.wide.u32 %rd2, %r1, 8, %rd1; ld.global.u64 %rd3, [%rd2];", 8, 256},
      {"mad.wide.u32 %rd2, %r1, 16, %rd1; ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd2];", 16, 512},
      {"setp.lt.u32 %p1, %r1, 8; @%p1 ld.global.u32 %r2, [%rd2];", 1, 32},
      {"ld.u32 %r2, [%rd2];", 4, 128},  // generic addresses of global memory
  };
  for (const auto& row : rows) {
    CAPTURE(row.body);
    const Counters counts = counts_of(row.body);
    CHECK(counts[Counter::global_load_requests] == 1);
    CHECK(counts[Counter::global_load_sectors] == row.sectors);
    CHECK(counts[Counter::global_load_bytes] == row.bytes);
    CHECK(counts[Counter::global_store_requests] == 0);
  }
}

TEST_CASE("Loads, stores and atomic operations are counted apart") {
  const Counters counts =
      counts_of("st.global.u32 [%rd2], 1; atom.global.add.u32 %r2, [%rd1], 1; red.global.add.u32 [%rd2], 1;");
  CHECK(counts[Counter::global_store_requests] == 1);
  CHECK(counts[Counter::global_store_sectors] == 4);
  CHECK(counts[Counter::global_store_bytes] == 128);
  CHECK(counts[Counter::global_atomic_requests] == 2);
  CHECK(counts[Counter::global_atomic_sectors] == 1 + 4);
  CHECK(counts[Counter::global_load_requests] == 0);
  CHECK(counts[Counter::atomic] == 64);
}

TEST_CASE("Words of one bank come one after the other, the same word once for all") {
  const struct {
    const char* body;  ///< of a load at %r2
    uint64_t wavefronts, least;
  } rows[] = {
      {"shl.b32 %r2, %r1, 2; ld.shared.u32 %r3, [%r2];", 1, 1},
      {"mov.u32 %r2, 0; ld.shared.u32 %r3, [%r2];", 1, 1},
      {"ld.shared.u8 %r3, [%r1];", 1, 1},
      {"shl.b32 %r2, %r1, 3; ld.shared.u32 %r3, [%r2];", 2, 1},
      {"shl.b32 %r2, %r1, 7; ld.shared.u32 %r3, [%r2];", 32, 1},
      {"mul.lo.u32 %r2, %r1, 132; ld.shared.u32 %r3, [%r2];", 1, 1},  // rows of 33 words
      {"shl.b32 %r2, %r1, 3; ld.shared.u64 %rd3, [%r2];", 2, 2},
      {"shl.b32 %r2, %r1, 7; ld.shared.u64 %rd3, [%r2];", 32, 2},
      {"shl.b32 %r2, %r1, 4; ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2];", 4, 4},
  };
  for (const auto& row : rows) {
    CAPTURE(row.body);
    const Counters counts =
        counts_of(std::string("mov.u32 %r7, tile;\n") + row.body, ".shared .align 16 .b8 tile[4224];\n");
    CHECK(counts[Counter::shared_load_requests] == 1);
    CHECK(counts[Counter::shared_load_wavefronts] == row.wavefronts);
    CHECK(counts[Counter::shared_load_least] == row.least);
  }
}

TEST_CASE("Local words of a warp's lanes lie side by side") {
  const std::string depot = ".local .align 8 .b8 depot[64]; ";
  const Counters same = counts_of(depot + "st.local.u32 [depot+8], %r1; ld.local.u32 %r2, [depot+8];");
  CHECK(same[Counter::local_requests] == 2);
  CHECK(same[Counter::local_sectors] == 8);
  const Counters wide = counts_of(depot + "st.local.u64 [depot], %rd1;");
  CHECK(wide[Counter::local_sectors] == 8);
}

TEST_CASE("Instructions are counted by warp, by thread and by unit") {
  const Counters counts = counts_of(
      "add.f32 %f1, %f2, %f3; fma.rn.f32 %f1, %f2, %f3, %f1; sqrt.rn.f64 %fd1, %fd2; div.rn.f32 %f1, %f2, %f3;\n"
      "cvt.rn.f32.u32 %f1, %r1; add.f16x2 %r2, %r3, %r4; bar.sync 0; vote.sync.ballot.b32 %r2, %p1, 0xffffffff;\n"
      "add.f64 %fd1, %fd2, %fd3; setp.lt.f32 %p2, %f1, %f2; selp.f32 %f1, %f2, %f3, %p2; membar.cta;\n"
      "setp.lt.u32 %p1, %r1, 8; @%p1 add.u32 %r2, %r2, 1;",
      "", {48, 1, 1});
  CHECK(counts[Counter::f32] == 3 * 48);
  CHECK(counts[Counter::special] == 2 * 48);
  CHECK(counts[Counter::half] == 48);
  CHECK(counts[Counter::f64] == 48);
  CHECK(counts[Counter::conversion] == 48);
  CHECK(counts[Counter::move] == 2 * 48);         // selp, and %tid.x
  CHECK(counts[Counter::integer] == 2 * 48 + 8);  // the address, setp; a guard leaves eight threads of one warp
  CHECK(counts[Counter::barrier] == 2 * 48);
  CHECK(counts[Counter::warp] == 48);
  CHECK(counts[Counter::load] == 48);     // the parameter
  CHECK(counts[Counter::control] == 48);  // ret
  CHECK(counts[Counter::other] == 0);
  CHECK(counts[Counter::thread_instructions] == 17 * 48 + 8);
  CHECK(counts[Counter::warp_instructions] == 17 * 2 + 1);
  CHECK(counts[Counter::barrier_waits] == 2);
}

TEST_CASE("A branch that parts the lanes is divergent") {
  const Counters counts = counts_of(
      "setp.lt.u32 %p1, %r1, 40; @%p1 bra L; add.u32 %r2, %r2, 1;\n"
      "L: bra.uni M; M: ret;",
      "", {64, 1, 1});
  CHECK(counts[Counter::branches] == 4);
  CHECK(counts[Counter::divergent_branches] == 1);
  CHECK(counts[Counter::control] == 3 * 64);
}

TEST_CASE("Counters add up, and each has a name of its own") {
  Counters sum;
  sum.add(Counter::f32, 3);
  Counters more = sum;
  more.add(Counter::f64, 1);
  sum.add(more);
  CHECK(sum[Counter::f32] == 6);
  CHECK(sum[Counter::f64] == 1);
  std::set<std::string> names;
  for (const CounterText& text : kCounterTexts) CHECK(names.insert(text.name).second);
}

}  // namespace
}  // namespace jitc::emulator_test
