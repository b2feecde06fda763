#include <catch2/catch.hpp>
#include <cstring>

#include "runtime/emulator/program/address_space.hpp"
#include "runtime/emulator/program/load_module.hpp"
#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

Program program_of(const std::string& text) { return load_module(text).programs.at(0); }
DecodedFunction decoded(std::string_view body) { return program_of(entry_text(body)).functions.at(0); }

Bits value_of(const DecodedFunction& function, Slot slot) { return function.constants.at(slot.constant_index()); }

TEST_CASE("Registers become rows in the order in which they are used") {
  const DecodedFunction function = decoded("add.s32 %r5, %r2, %r5;");
  CHECK(function.steps[0].src[0].index == 0);
  CHECK(function.steps[0].src[1].index == 1);
  CHECK(function.steps[0].dst.index == 1);
  CHECK(function.count_slots == 2);
}

TEST_CASE("A register of an inner block is another one") {
  const DecodedFunction function = decoded("mov.b32 %r1, 1; { .reg .b32 %r1; mov.b32 %r1, 2; } mov.b32 %r1, 3;");
  CHECK(function.steps[0].dst == function.steps[2].dst);
  CHECK_FALSE(function.steps[0].dst == function.steps[1].dst);
}

TEST_CASE("Constants are kept once each") {
  const DecodedFunction function = decoded("add.s32 %r1, %r1, 7; add.s32 %r2, %r2, 7; add.f64 %fd1, %fd1, 0f3F800000;");
  CHECK(function.steps[0].src[1] == function.steps[1].src[1]);
  CHECK(value_of(function, function.steps[0].src[1]) == 7);
  CHECK(value_of(function, function.steps[2].src[1]) == uint64_t{0x3ff} << 52);
}

TEST_CASE("Branches name the step behind their label") {
  const DecodedFunction function = decoded("L: add.s32 %r1, %r1, 1; @!%p1 bra L; bra.uni E; E:");
  CHECK(function.steps[1].index == 0);
  CHECK(function.steps[1].is_guard_negated);
  CHECK_FALSE(function.steps[1].guard.is_none());
  CHECK(function.steps[2].index == 3);
  CHECK(function.steps[2].is_uniform);
}

TEST_CASE("A label inside a block is seen there first") {
  const DecodedFunction function = decoded("L: { bra L; L: mov.b32 %r1, 1; } bra L;");
  CHECK(function.steps[0].index == 1);
  CHECK(function.steps[2].index == 0);
}

TEST_CASE("An indexed branch has a table of steps") {
  const DecodedFunction function = decoded("t: .branchtargets A, B, A; brx.idx %r1, t; A: mov.b32 %r1, 1; B:");
  CHECK(function.branch_tables.at(function.steps[0].index) == std::vector<uint32_t>{1, 2, 1});
}

TEST_CASE("Special registers are rows that are filled in before the first step") {
  const DecodedFunction function = decoded("mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x; cvt.u64.u32 %rd1, %laneid;");
  REQUIRE(function.specials.size() == 2);
  CHECK(function.specials[0].id == Special::tid_x);
  CHECK(function.steps[0].src[0] == function.specials[0].slot);
  CHECK(function.steps[1].src[0] == function.specials[0].slot);
}

TEST_CASE("A clock is read by a step of its own each time") {
  const DecodedFunction function = decoded("mov.u64 %rd1, %clock64; mov.u64 %rd2, %clock64;");
  CHECK(function.steps[0].action == Action::read_clock);
  CHECK(function.steps[2].action == Action::read_clock);
  CHECK(function.steps[1].src[0] == function.steps[0].dst);
}

TEST_CASE("A negated predicate operand is negated by a step before") {
  const DecodedFunction function = decoded("@%p2 selp.b32 %r1, 1, 2, !%p1;");
  REQUIRE(function.steps.size() >= 2);
  CHECK(function.steps[1].src[2] == function.steps[0].dst);
  CHECK(function.steps[0].guard == function.steps[1].guard);
}

TEST_CASE("Unpacking is one step for each element that is wanted") {
  const DecodedFunction function = decoded("mov.b64 {%rs1, _, %rs2, _}, %rd1;");
  CHECK(value_of(function, function.steps[0].src[1]) == 0);
  CHECK(value_of(function, function.steps[1].src[1]) == 32);
  CHECK(function.steps[2].action == Action::ret);
}

TEST_CASE("A kernel's parameters have offsets, sizes and alignments") {
  const Program program =
      program_of(module_text(".entry k(.param .u8 a, .param .f64 b, .param .align 16 .b8 c[3]) { }"));
  const auto& params = program.functions[0].params;
  CHECK(params[1].offset_bytes == 8);
  CHECK(params[2].offset_bytes == 16);
  CHECK(params[2].align_bytes == 16);
  CHECK(program.functions[0].param_bytes == 19);
}

TEST_CASE("An access knows its space, its width and its values") {
  const DecodedFunction function = decoded("ld.volatile.global.v2.u16 {%r1, _}, [%rd1+-8];");
  const Access& access = function.accesses.at(function.steps[0].index);
  CHECK(access.area == Area::global);
  CHECK(access.type == Type::u16);
  CHECK(access.count == 2);
  CHECK(access.ordering == Ordering::relaxed);
  CHECK(access.offset_bytes == -8);
  CHECK(access.values[1].is_none());
  CHECK(access.base.index >= 0);
}

TEST_CASE("Variables of the function lie in its frame") {
  const DecodedFunction function =
      decoded(".local .align 8 .b8 a[4]; .local .align 8 .b8 b[8]; mov.u64 %rd1, b; st.local.u32 [b+4], %r1;");
  CHECK(function.frame_bytes == 16);
  CHECK(function.steps[0].action == Action::frame_address);
  CHECK(value_of(function, function.steps[0].src[0]) == 8);
  const Access& access = function.accesses.at(0);
  CHECK(access.area == Area::local);
  CHECK(access.is_frame_relative);
  CHECK(access.offset_bytes == 12);
}

TEST_CASE("Shared variables are placed if some function of the kernel names them") {
  const std::string text = module_text(
      ".shared .b8 unused[100]; .shared .align 4 .b32 a; .extern .shared .align 16 .b8 dynamic[];"
      ".func f() { .reg .b32 %r; ld.shared.u32 %r, [a]; ret; }"
      ".entry k() { .shared .align 8 .b8 b[6]; .reg .b32 %r; ld.shared.u8 %r, [b+1]; mov.u32 %r, dynamic; call f; ret; "
      "}");
  const Program program = program_of(text);
  CHECK(program.functions[0].accesses[0].offset_bytes == 1);
  CHECK(program.functions[1].accesses[0].offset_bytes == 8);
  CHECK(program.static_shared_bytes == 16);
  CHECK(program.has_dynamic_shared);
  CHECK(value_of(program.functions[0], program.functions[0].steps[1].src[0]) == 16);
}

TEST_CASE("A call copies results and arguments to where the callee has them") {
  const Program program =
      program_of(module_text(".func (.param .b64 r) f(.param .b32 a, .param .b64 b) { ret; }"
                             ".entry k() { .reg .b32 %r; .param .b64 x; .param .b64 y; call (x), f, (%r, y); ret; }"));
  const CallSite& call = program.functions[0].calls.at(0);
  CHECK(call.callee == 1);
  CHECK(call.results[0].callee_offset_bytes == 0);
  CHECK(call.arguments[0].callee_offset_bytes == 8);
  CHECK(call.arguments[0].size_bytes == 4);
  CHECK_FALSE(call.arguments[0].slot.is_none());
  CHECK(call.arguments[1].callee_offset_bytes == 16);
  CHECK(call.arguments[1].caller_offset_bytes == 8);
}

TEST_CASE("A call by address reaches every function") {
  const Program program = program_of(
      module_text(".func f() { ret; } .func g() { ret; }"
                  ".entry k() { .reg .b64 %rd; p: .callprototype _ (); mov.u64 %rd, g; call %rd, (), p; ret; }"));
  CHECK(program.functions.size() == 3);
  CHECK(value_of(program.functions[0], program.functions[0].steps[0].src[0]) ==
        kFunctionWindow.base + kFunctionBytes * 1);
}

TEST_CASE("Parameters that are registers are loaded, and stored before each return") {
  const Program program =
      program_of(module_text(".func (.reg .u32 r) f(.reg .u32 a) { add.u32 r, a, 1; ret; }"
                             ".entry k() { .reg .u32 %r; call (%r), f, (%r); ret; }"));
  const std::vector<Step>& steps = program.functions[1].steps;
  CHECK(steps[0].action == Action::load);
  CHECK(steps[2].action == Action::store);
  CHECK(steps[3].action == Action::ret);
}

TEST_CASE("Source lines mark the steps behind them") {
  const DecodedFunction function = decoded("mov.b32 %r1, 1; .loc 1 7 3\nmov.b32 %r1, 2;");
  REQUIRE(function.marks.size() == 1);
  CHECK(function.marks[0].step == 1);
  CHECK(function.marks[0].source.line == 7);
  CHECK(function.steps[1].line == 7);
}

TEST_CASE("Launch bounds come from the directives") {
  const Program program = program_of(module_text(".entry k() .reqntid 64, 2 .minnctapersm 3 .maxnreg 40 { }"));
  CHECK(program.bounds.max_threads == std::array<uint32_t, 3>{64, 2, 1});
  CHECK(program.bounds.is_exact);
  CHECK(program.bounds.min_blocks == 3);
  CHECK(program.bounds.max_registers == 40);
}

TEST_CASE("Addresses of variables become constants that are linked later") {
  const LoadedModule loaded = load_module(module_text(
      ".global .b32 a; .const .b32 c; .entry k() { .reg .b64 %rd; mov.u64 %rd, a+4; ld.const.b32 %rd, [c]; }"));
  const Program& program = loaded.programs[0];
  REQUIRE(program.addresses.size() == 2);
  CHECK(loaded.image.symbols[program.addresses[0].symbol].name == "a");
  CHECK(program.addresses[0].offset_bytes == 4);
  CHECK(program.functions[0].accesses[0].area == Area::constant);
}

TEST_CASE("An image holds numbers and addresses where its segments lie") {
  const LoadedModule loaded = load_module(
      module_text(".const .align 4 .b8 text[6] = {104, 105}; .global .align 8 .u64 pointers[2] = {generic(text), f};"
                  ".global .f32 reals[2] = {0.5, 0fBF800000}; .func f() { } .global .b8 low = 0xFF00(text);"));
  std::vector<std::byte> global(loaded.image.global_bytes), constant(loaded.image.constant_bytes);
  initialise(loaded.image, global, constant);
  uint64_t pointers[2];
  float reals[2];
  std::memcpy(pointers, global.data(), 16);
  std::memcpy(reals, global.data() + 16, 8);
  CHECK(constant[1] == std::byte{105});
  CHECK(pointers[0] == reinterpret_cast<uint64_t>(constant.data()));
  CHECK(pointers[1] == kFunctionWindow.base);
  CHECK(reals[0] == 0.5f);
  CHECK(reals[1] == -1.0f);
  CHECK(global[24] == static_cast<std::byte>(pointers[0] >> 8));
}

}  // namespace
}  // namespace jitc::emulator_test
