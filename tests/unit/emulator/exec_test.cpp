#include <catch2/catch.hpp>

#include "tests/unit/emulator/one_block.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

/// Runs to its end; the memory tells what it did.
std::unique_ptr<OneBlock> ran(const std::string& text) {
  auto thread = std::make_unique<OneBlock>(text);
  const BlockState state = thread->run();
  REQUIRE(state == BlockState::ended);
  return thread;
}

FaultKind fault_of(const std::string& text) {
  OneBlock thread(text);
  REQUIRE(thread.run() == BlockState::fault);
  return thread.fault().kind;
}

TEST_CASE("A loop counts") {
  const auto thread =
      ran(kernel_text("mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
                      "L: add.u32 %r2, %r2, %r1; add.u32 %r1, %r1, 1;\n"
                      "setp.lt.u32 %p1, %r1, 10; @%p1 bra L; st.global.u32 [%rd1+8], %r2;"));
  CHECK(thread->global<uint32_t>(2) == 45);
}

TEST_CASE("A guarded step is left out where its guard fails") {
  const auto thread =
      ran(kernel_text("setp.eq.u32 %p1, 1, 2; mov.u32 %r1, 5; @%p1 mov.u32 %r1, 6;\n"
                      "@!%p1 add.u32 %r1, %r1, 10; st.global.u32 [%rd1], %r1;"
                      "@%p1 exit; st.global.u32 [%rd1+4], 7;"));
  CHECK(thread->global<uint32_t>(0) == 15);
  CHECK(thread->global<uint32_t>(1) == 7);
}

TEST_CASE("Loads extend by their type, stores cut to it") {
  auto thread =
      OneBlock(kernel_text("ld.global.s8 %r1, [%rd1]; st.global.u32 [%rd1+4], %r1;\n"
                           "ld.global.u8 %r1, [%rd1]; st.global.u32 [%rd1+8], %r1;\n"
                           "st.global.u8 [%rd1+12], %r1; ld.global.s16 %rd2, [%rd1]; st.global.u64 [%rd1+16], %rd2;"));
  thread.set_global<uint16_t>(0, 0x80fe);
  REQUIRE(thread.run() == BlockState::ended);
  CHECK(thread.global<uint32_t>(1) == 0xfffffffe);
  CHECK(thread.global<uint32_t>(2) == 0xfe);
  CHECK(thread.global<uint32_t>(3) == 0xfe);
  CHECK(thread.global<uint64_t>(2) == 0xffffffffffff80fe);
}

TEST_CASE("Vector forms move several values") {
  auto thread =
      OneBlock(kernel_text("ld.global.v4.u32 {%r1, _, %r2, %r3}, [%rd1];\n"
                           "st.global.v2.u32 [%rd1+24], {%r3, 9}; st.global.u32 [%rd1+16], %r2;"));
  for (uint32_t i = 0; i < 4; ++i) thread.set_global<uint32_t>(i, i + 1);
  REQUIRE(thread.run() == BlockState::ended);
  CHECK(thread.global<uint32_t>(4) == 3);
  CHECK(thread.global<uint32_t>(6) == 4);
  CHECK(thread.global<uint32_t>(7) == 9);
}

TEST_CASE("Shared and local memory are reached in their space and by generic addresses") {
  const auto thread =
      ran(kernel_text(".local .align 4 .b8 l[8]; .shared .align 4 .b32 s;\n"
                      "mov.u64 %rd2, l; cvta.local.u64 %rd3, %rd2; st.u32 [%rd3+4], 11; ld.local.u32 %r1, [l+4];\n"
                      "mov.u32 %r2, s; cvt.u64.u32 %rd4, %r2; cvta.shared.u64 %rd4, %rd4; st.u32 [%rd4], 31;\n"
                      "ld.shared.u32 %r3, [%r2]; add.u32 %r1, %r1, %r3; st.u32 [%rd1], %r1;\n"
                      "isspacep.shared %p1, %rd4; selp.u32 %r4, 1, 0, %p1; st.u32 [%rd1+4], %r4;\n"
                      "isspacep.global %p1, %rd4; selp.u32 %r4, 1, 0, %p1; st.u32 [%rd1+8], %r4;"));
  CHECK(thread->global<uint32_t>(0) == 42);
  CHECK(thread->global<uint32_t>(1) == 1);
  CHECK(thread->global<uint32_t>(2) == 0);
}

TEST_CASE("Variables of the module hold their initial values") {
  const auto thread =
      ran(kernel_text("ld.const.u8 %r1, [c+1]; ld.global.f32 %f1, [f]; ld.global.u64 %rd2, [p];\n"
                      "ld.u8 %r2, [%rd2]; add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;\n"
                      "st.global.f32 [%rd1+4], %f1;",
                      ".const .b8 c[3] = {1, 2, 3}; .global .f32 f = 0.5; .global .u64 p = generic(c)+2;"));
  CHECK(thread->global<uint32_t>(0) == 5);
  CHECK(thread->global<float>(1) == 0.5f);
}

TEST_CASE("Atomic operations return the old value and leave the new one") {
  auto thread =
      OneBlock(kernel_text("atom.global.add.u32 %r1, [%rd1], 5; st.global.u32 [%rd1+4], %r1;\n"
                           "red.global.max.s32 [%rd1], -1; atom.global.cas.b32 %r2, [%rd1], 8, 20;\n"
                           "atom.global.inc.u32 %r3, [%rd1], 20; atom.global.dec.u32 %r3, [%rd1], 6;\n"
                           "red.add.f32 [%rd1+8], 0f3FC00000; atom.exch.b64 %rd2, [%rd1+16], 7;"));
  thread.set_global<uint32_t>(0, 3);
  thread.set_global<float>(2, 1.0f);
  REQUIRE(thread.run() == BlockState::ended);
  CHECK(thread.global<uint32_t>(0) == 6);
  CHECK(thread.global<uint32_t>(1) == 3);
  CHECK(thread.global<float>(2) == 2.5f);
  CHECK(thread.global<uint64_t>(2) == 7);
}

constexpr std::string_view kFunctions =
    ".func (.param .b32 r) add1(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r1, [a]; add.u32 %r2, %r1, 1;"
    " st.param.b32 [r], %r2; ret; }\n"
    ".func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %r<3>; ld.param.b32 %r1, [a]; add.u32 %r2, %r1, %r1;"
    " st.param.b32 [r], %r2; ret; }\n"
    ".func (.reg .u32 r) triple(.reg .u32 a) { mul.lo.u32 r, a, 3; ret; }\n"
    ".func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 a[16]) { .reg .b64 %rd<3>;"
    " ld.param.v2.u64 {%rd1, %rd2}, [a]; st.param.v2.u64 [r], {%rd2, %rd1}; ret; }\n"
    ".func (.param .b32 r) factorial(.param .b32 n) { .reg .pred %p; .reg .b32 %r<4>; ld.param.b32 %r1, [n];"
    " setp.gt.u32 %p, %r1, 1; mov.u32 %r2, 1; @!%p bra E; sub.u32 %r3, %r1, 1;"
    " { .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), factorial, (x); ld.param.b32 %r2, [y]; }"
    " mul.lo.u32 %r2, %r2, %r1; E: st.param.b32 [r], %r2; ret; }\n"
    ".func forever() { call forever; ret; }\n"
    ".global .u64 table[2] = {add1, twice};\n";

TEST_CASE("Functions take and give parameters and registers") {
  const auto thread =
      ran(kernel_text("{ .param .b32 x; .param .b32 y; st.param.b32 [x+0], 41;\n"
                      "call.uni (y), add1, (x); ld.param.b32 %r1, [y+0]; }\n"
                      "call (%r2), triple, (%r1); st.global.v2.u32 [%rd1], {%r1, %r2};",
                      kFunctions));
  CHECK(thread->global<uint32_t>(0) == 42);
  CHECK(thread->global<uint32_t>(1) == 126);
}

TEST_CASE("Structures go by value") {
  const auto thread =
      ran(kernel_text("{ .param .align 8 .b8 x[16]; .param .align 8 .b8 y[16];\n"
                      "st.param.b64 [x+0], 1; st.param.b64 [x+8], 2; call (y), swap, (x);\n"
                      "ld.param.b64 %rd2, [y+0]; ld.param.b64 %rd3, [y+8]; }\n"
                      "st.global.u64 [%rd1], %rd2; st.global.u64 [%rd1+8], %rd3;",
                      kFunctions));
  CHECK(thread->global<uint64_t>(0) == 2);
  CHECK(thread->global<uint64_t>(1) == 1);
}

TEST_CASE("Functions call themselves") {
  const auto thread = ran(kernel_text("call (%r1), factorial, (10); st.global.u32 [%rd1], %r1;", kFunctions));
  CHECK(thread->global<uint32_t>(0) == 3628800);
}

TEST_CASE("Functions are called by address") {
  const auto thread =
      ran(kernel_text("p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                      "ld.global.u64 %rd2, [table+8]; call (%r1), %rd2, (21), p;\n"
                      "mov.u64 %rd3, add1; call (%r2), %rd3, (21), p;\n"
                      "st.global.v2.u32 [%rd1], {%r1, %r2};",
                      kFunctions));
  CHECK(thread->global<uint32_t>(0) == 42);
  CHECK(thread->global<uint32_t>(1) == 22);
}

TEST_CASE("An indexed branch goes where its table says, or on") {
  for (uint32_t index : {0u, 1u, 2u}) {
    auto thread =
        OneBlock(kernel_text("ld.global.u32 %r1, [%rd1]; t: .branchtargets A, B; brx.idx %r1, t;\n"
                             "st.global.u32 [%rd1], 30; ret; A: st.global.u32 [%rd1], 10; ret;\n"
                             "B: st.global.u32 [%rd1], 20;"));
    thread.set_global<uint32_t>(0, index);
    REQUIRE(thread.run() == BlockState::ended);
    CHECK(thread.global<uint32_t>(0) == 10 * (index + 1));
  }
}

TEST_CASE("Carries pass from step to step") {
  const auto thread =
      ran(kernel_text("add.cc.u32 %r1, -1, 1; addc.u32 %r2, 0, 0; st.global.v2.u32 [%rd1], {%r1, %r2};"));
  CHECK(thread->global<uint32_t>(0) == 0);
  CHECK(thread->global<uint32_t>(1) == 1);
}

TEST_CASE("Words are packed and unpacked") {
  const auto thread =
      ran(kernel_text("mov.b64 %rd2, {-1, 5}; mov.b64 {%rs1, %rs2, %rs3, _}, %rd2; mov.b32 %r1, {%rs3, %rs1};\n"
                      "st.global.u64 [%rd1], %rd2; st.global.u32 [%rd1+8], %r1;"));
  CHECK(thread->global<uint64_t>(0) == 0x5ffffffff);
  CHECK(thread->global<uint32_t>(2) == 0xffff0005);
}

TEST_CASE("An access out of bounds stops the thread and says where") {
  OneBlock thread(kernel_text(".loc 1 33 1\nst.global.u32 [%rd1+4096], 1;"));
  REQUIRE(thread.run() == BlockState::fault);
  const Fault& fault = thread.fault();
  CHECK(fault.kind == FaultKind::out_of_bounds);
  CHECK(fault.area == Area::global);
  CHECK(fault.is_write);
  CHECK(fault.size_bytes == 4);
  CHECK(fault.function->name == "k");
  CHECK(fault.function->steps[fault.step].line == 8);
  CHECK(source_of(*fault.function, fault.step).line == 33);
}

TEST_CASE("Accesses that straddle the end, are misaligned or write what is constant are faults") {
  CHECK(fault_of(kernel_text("ld.global.v2.u64 {%rd2, %rd3}, [%rd1+4088];")) == FaultKind::misaligned);
  CHECK(fault_of(kernel_text("ld.global.u32 %r1, [%rd1+2];")) == FaultKind::misaligned);
  CHECK(fault_of(kernel_text("ld.global.u64 %rd2, [%rd1+4096];")) == FaultKind::out_of_bounds);
  CHECK(fault_of(kernel_text("ld.shared.u32 %r1, [%r2+4096];")) == FaultKind::out_of_bounds);
  CHECK(fault_of(kernel_text("mov.u64 %rd2, k_param_0; cvta.param.u64 %rd2, %rd2; st.u64 [%rd2], 1;")) ==
        FaultKind::write_to_constant);
}

TEST_CASE("A trap, a bad call and a call without end are faults") {
  CHECK(fault_of(kernel_text("trap;")) == FaultKind::trap);
  CHECK(fault_of(kernel_text("p: .callprototype _ (); call %rd1, (), p;")) == FaultKind::bad_call);
  CHECK(fault_of(kernel_text("call forever;", kFunctions)) == FaultKind::stack_overflow);
}

TEST_CASE("A loop without end uses its budget up") {
  CHECK(OneBlock(kernel_text("L: bra L;")).run(1000) == BlockState::turn_over);
}

TEST_CASE("exit in a function ends the thread") {
  const auto thread = ran(kernel_text("call f; st.global.u32 [%rd1], 1;", ".func f() { exit; }"));
  CHECK(thread->global<uint32_t>(0) == 0);
}

}  // namespace
}  // namespace jitc::emulator_test
