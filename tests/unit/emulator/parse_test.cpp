#include "runtime/emulator/ptx/parse.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

template <class T>
std::vector<T> all_of(const Function& function) {
  std::vector<T> found;
  for (const Statement& statement : function.body) {
    if (const T* one = std::get_if<T>(&statement)) found.push_back(*one);
  }
  return found;
}

Module parse_entry(std::string_view body) { return parse(entry_text(body)); }
Instruction first_instruction(const Module& module) { return all_of<Instruction>(module.functions.at(0)).at(0); }

Variable parse_global(std::string_view text) {
  static Module module;
  module = parse(module_text(text));
  return module.variables.at(0);
}

TEST_CASE("A module's head says version, target and address size") {
  const Module module = parse(".version 7.8 .target sm_90a, debug .address_size 64");
  CHECK(module.version == 78);
  CHECK(module.sm == 90);
  CHECK(module.target == "sm_90a");
  CHECK(module.has_debug);
}

TEST_CASE("A text without a head is refused") {
  CHECK(parse_error("") == "line 1, column 1; error: expected '.version', found the end of the text");
  CHECK(parse_error(".version 7 ") == "line 1, column 10; error: expected a version such as 7.0, found '7'");
  CHECK(parse_error(".version 7.0 .target compute_80") == "line 1, column 22; error: unknown target 'compute_80'");
  CHECK(parse_error(".version 7.0 .target sm_80 .address_size 32") ==
        "line 1, column 42; error: addresses of 32 bits are not supported");
}

TEST_CASE("A variable has space, alignment, type, extent and initial values") {
  const Variable table = parse_global(".visible .global .align 8 .u16 table[2][3] = {{1, -2, 3}, {4}};");
  CHECK(table.linkage == Linkage::visible);
  CHECK(table.space == Space::global);
  CHECK(table.align_bytes == 8);
  CHECK(table.type == Type::u16);
  CHECK(table.count_elems == 6);
  REQUIRE(table.initial.size() == 4);
  CHECK(std::get<IntegerOperand>(table.initial[1].value).bits == uint64_t(-2));
}

TEST_CASE("A variable's natural alignment is its size") {
  CHECK(parse_global(".global .f64 x;").align_bytes == 8);
  CHECK(parse_global(".shared .v4 .f32 x[4];").align_bytes == 16);
}

TEST_CASE("Initial values are integers, hexadecimal floats and addresses") {
  const Variable values = parse_global(".global .b64 x[4] = {0x10, generic(text), text+4, 0d3FF0000000000000};");
  CHECK(values.initial[1].is_generic);
  CHECK(std::get<NameOperand>(values.initial[1].value).name == "text");
  CHECK(std::get<NameOperand>(values.initial[2].value).offset_bytes == 4);
  CHECK(std::get<RealOperand>(values.initial[3].value).bits == 0x3ff0000000000000);
}

TEST_CASE("One byte of an address may be an initial value") {
  const Variable bytes = parse_global(".global .b8 x[2] = {0xFF(text), 0xFF00(generic(text))};");
  CHECK(bytes.initial[0].mask == 0xff);
  CHECK(bytes.initial[1].mask == 0xff00);
  CHECK(bytes.initial[1].is_generic);
}

TEST_CASE("An array without a size has none, or that of its initial values") {
  CHECK(parse_global(".extern .shared .align 16 .b8 dynamic[];").count_elems == 0);
  CHECK(parse_global(".global .u32 x[] = {1, 2, 3};").count_elems == 3);
}

TEST_CASE("A declaration that cannot be is refused") {
  CHECK(parse_error(module_text(".global .align 3 .b8 x;")) ==
        "line 4, column 16; error: alignment 3 is not a power of two");
  CHECK(parse_error(module_text(".global .q32 x;")) == "line 4, column 9; error: unknown type '.q32'");
  CHECK(parse_error(module_text(".shared .u32 x = 1;")) ==
        "line 4, column 1; error: 'x' may not have an initial value in its state space");
  CHECK(parse_error(module_text(".global .u32 x[2] = {1, 2, 3};")) ==
        "line 4, column 1; error: 'x' has more initial values than elements");
  CHECK(parse_error(module_text(".global .b64 x[99999999][99999999];")) == "line 4, column 1; error: 'x' is too large");
}

TEST_CASE("A function has results, parameters and directives") {
  const Module module =
      parse(module_text(".visible .func (.param .b32 r) f(.param .b64 a, .param .align 8 .b8 b[16]);\n"
                        ".weak .entry k() .maxntid 128, 1, 1 .minnctapersm 2 { ret; }"));
  const Function& f = module.functions.at(0);
  CHECK_FALSE(f.has_body);
  CHECK(f.results.at(0).name == "r");
  CHECK(f.params.at(1).total_bytes() == 16);
  const Function& k = module.functions.at(1);
  CHECK(k.is_entry);
  CHECK(k.linkage == Linkage::weak);
  REQUIRE(k.tuning.size() == 2);
  CHECK(k.tuning[0].values == std::vector<uint32_t>{128, 1, 1});
}

TEST_CASE("A kernel parameter may say what it points to") {
  const Module module =
      parse(module_text(".entry k(.param .u64 .ptr .global .align 16 a, .param .u64 .ptr b) { ret; }"));
  CHECK(module.functions.at(0).params.at(0).name == "a");
  CHECK(module.functions.at(0).params.at(1).name == "b");
}

TEST_CASE("An instruction has guard, opcode, modifiers and operands") {
  const Module module = parse_entry("@!%p1 add.sat.s32 %r1, %r2, -3;");
  const Instruction add = first_instruction(module);
  CHECK(add.at.line == 6);
  CHECK(add.opcode == "add");
  CHECK(add.modifiers == std::vector<std::string_view>{"sat", "s32"});
  REQUIRE(add.guard);
  CHECK(add.guard->name == "%p1");
  CHECK(add.guard->is_negated);
  CHECK(std::get<IntegerOperand>(add.operands.at(2).kind).bits == uint64_t(-3));
}

TEST_CASE("Operands are names, numbers, pairs, vectors, addresses and lists") {
  const Module module = parse_entry(
      "call (r), f, (a, 1), p;\n setp.eq.and.s32 %p1|%p2, %tid.x, -1.5, !%p3;\n"
      "ld.global.v2.f32 {%f1, _}, [%rd1+-8];\n mov.u64 %rd1, table+16;");
  const auto instructions = all_of<Instruction>(module.functions.at(0));
  CHECK(std::get<ListOperand>(instructions.at(0).operands.at(2).kind).elements.size() == 2);
  const auto& setp = instructions.at(1).operands;
  CHECK(std::get<PairOperand>(setp.at(0).kind).second == "%p2");
  CHECK(std::get<NameOperand>(setp.at(1).kind).component == "x");
  CHECK(std::get<RealOperand>(setp.at(2).kind).bits == 0xbff8000000000000);
  CHECK(std::get<NameOperand>(setp.at(3).kind).is_negated);
  const auto& ld = instructions.at(2).operands;
  CHECK(std::get<VectorOperand>(ld.at(0).kind).elements.size() == 2);
  CHECK(std::get<AddressOperand>(ld.at(1).kind).offset_bytes == -8);
  CHECK(std::get<NameOperand>(instructions.at(3).operands.at(1).kind).offset_bytes == 16);
}

TEST_CASE("Blocks with registers of their own are marked") {
  const Module module = parse_entry("{ .reg .b32 temp; { .param .b32 a; } }");
  CHECK(all_of<BlockBegin>(module.functions.at(0)).size() == 2);
  CHECK(all_of<BlockEnd>(module.functions.at(0)).size() == 2);
}

TEST_CASE("Registers come singly, by number and as vectors") {
  const Module module = parse_entry(".reg .v4 .f32 v; .reg .pred p, q<3>;");
  const auto registers = all_of<RegisterDeclaration>(module.functions.at(0));
  const RegisterDeclaration& v = registers.at(registers.size() - 3);
  CHECK(v.vector_width == 4);
  CHECK_FALSE(v.count);
  CHECK(registers.back().count == 3u);
}

TEST_CASE("Branch targets and call prototypes are declarations") {
  const Module module =
      parse_entry("t: .branchtargets A, B;\np: .callprototype (.param .b32 _) _ (.param .b64 _);\nA: B:");
  CHECK(all_of<BranchTargets>(module.functions.at(0)).at(0).labels.size() == 2);
  CHECK(all_of<CallPrototype>(module.functions.at(0)).at(0).params.size() == 1);
  CHECK(all_of<Label>(module.functions.at(0)).size() == 2);
}

TEST_CASE("Debug directives name source lines and are otherwise skipped") {
  const Module module =
      parse(module_text(".file 1 \"a.dsl\", 12, 34\n.section .debug_info { .b8 1,2 .b32 .debug_abbrev }\n"
                        ".entry k() { .loc 1 7 3, function_name L, inlined_at 1 2 3\n"
                        ".pragma \"nounroll\"; ret; }"));
  CHECK(module.files.at(1) == "a.dsl");
  CHECK(all_of<SourceLine>(module.functions.at(0)).at(0).line == 7);
}

TEST_CASE("A fault is named with its line and column") {
  CHECK(parse_error(entry_text("add.s32 %r1 %r2;")) == "line 6, column 13; error: expected ';', found '%r2'");
  CHECK(parse_error(entry_text("ld.f32 %f1, [%rd1;")) == "line 6, column 18; error: expected ']', found ';'");
  CHECK(parse_error(entry_text(".loc 1 x")) == "line 6, column 8; error: expected a line, found 'x'");
  CHECK(parse_error(module_text(".entry k() .maxntidy 3 { ret; }")) ==
        "line 4, column 12; error: unknown directive '.maxntidy'");
  CHECK(parse_error(module_text(".entry k() { ret;")) ==
        "line 4, column 18; error: expected a statement, found the end of the text");
  CHECK(parse_error(module_text(".entry k(.global .u32 x) { }")) == "line 4, column 10; error: 'x' is not a parameter");
}

TEST_CASE("Hostile sizes are refused") {
  const std::string deep(100, '{');
  CHECK(parse_error(entry_text(deep)) == "line 6, column 64; error: blocks are nested too deeply");
  CHECK(parse_error(module_text(".global .u32 x[9] = " + deep)) ==
        "line 4, column 85; error: braces are nested too deeply");
  CHECK(parse_error(entry_text(".reg .b32 %q<4000000000>;")) ==
        "line 6, column 14; error: a register count must be at most 1048576");
  CHECK(error_of([] { parse(entry_text(""), {.statements = 3}); }) == "line 5, column 54; error: too many statements");
  CHECK(error_of([] { parse(module_text(".global .b8 x[3] = {1, 2, 3};"), {.initial_values = 2}); }) ==
        "line 4, column 27; error: too many initial values");
  const std::string large(100, ' ');
  CHECK(error_of([&] { parse(large, {.text_bytes = 99}); }) ==
        "line 1, column 1; error: the text is larger than 99 bytes");
}

}  // namespace
}  // namespace jitc::emulator_test
