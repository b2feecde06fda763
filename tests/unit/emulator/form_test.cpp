#include "runtime/emulator/isa/form.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "runtime/emulator/isa/special_registers.hpp"
#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

/// The form of the first instruction of `body`; its names are views into literals or the table.
Form form_of(std::string_view body, Target target = {80, 90}) {
  const Module module = parse(entry_text(body));
  for (const Statement& statement : module.functions.at(0).body) {
    if (const auto* instruction = std::get_if<Instruction>(&statement)) return choose_form(*instruction, target);
  }
  throw std::logic_error("no instruction");
}

std::string form_error(std::string_view body, Target target = {80, 90}) {
  return error_of([&] { form_of(body, target); });
}

TEST_CASE("A form has the row's choices in the order of the text") {
  const Form form = form_of("cvt.rn.ftz.sat.f32.f64 %f1, %fd1;");
  CHECK(form.modifiers == std::vector<std::string_view>{"rn", "ftz", "sat"});
  CHECK(form.types == std::vector<Type>{Type::f32, Type::f64});
  CHECK(form.one_of({"rz", "rn"}) == "rn");
  CHECK_FALSE(form.has("rz"));
}

TEST_CASE("The same opcode has integer and floating-point rows") {
  CHECK(form_of("add.s32 %r1, %r2, %r3;").row != form_of("add.f32 %f1, %f2, %f3;").row);
  CHECK(form_of("mul.wide.u16 %r1, %rs2, %rs3;").type_of(form_of("mul.wide.u16 %r1, %rs2, %rs3;").row->operands[0]) ==
        Type::u32);
}

TEST_CASE("Two modifiers that belong together are taken together") {
  CHECK(form_of("min.NaN.xorsign.abs.f32 %f1, %f2, %f3;").has("xorsign.abs"));
  CHECK(form_error("min.xorsign.f32 %f1, %f2, %f3;") ==
        "line 6, column 1; error: unknown instruction 'min.xorsign.f32'");
}

TEST_CASE("The modifiers of an atomic operation come in any order, its type last") {
  CHECK(form_of("atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1;").row ==
        form_of("atom.add.acquire.cta.u32 %r1, [%rd1], 1;").row);
  CHECK(form_error("atom.u32.add %r1, [%rd1], 1;") == "line 6, column 1; error: unknown instruction 'atom.u32.add'");
  CHECK(form_error("atom.global.u32 %r1, [%rd1], 1;") ==
        "line 6, column 1; error: unknown instruction 'atom.global.u32'");
}

TEST_CASE("What the table does not know is refused with its spelling") {
  CHECK(form_error("foo.bar %r1;") == "line 6, column 1; error: unknown instruction 'foo.bar'");
  CHECK(form_error("add.sat.u32 %r1, %r2, %r3;") == "line 6, column 1; error: unknown instruction 'add.sat.u32'");
  CHECK(form_error("add.s32.sat %r1, %r2, %r3;") == "line 6, column 1; error: unknown instruction 'add.s32.sat'");
  CHECK(form_error("add %r1, %r2, %r3;") == "line 6, column 1; error: unknown instruction 'add'");
}

TEST_CASE("A wrong number of operands is refused") {
  CHECK(form_error("add.s32 %r1, %r2;") == "line 6, column 1; error: 'add.s32' does not take 2 operands");
  CHECK(form_error("ret %r1;") == "line 6, column 1; error: 'ret' does not take 1 operands");
  CHECK(form_error("bar.sync 0, 32;") == "no error");
}

TEST_CASE("What is newer than version or target is refused") {
  CHECK(form_error("tanh.approx.f32 %f1, %f2;", {65, 75}) ==
        "line 6, column 1; error: 'tanh.approx.f32' needs PTX ISA 7.0 or later, this is 6.5");
  CHECK(form_error("tanh.approx.f32 %f1, %f2;", {70, 70}) ==
        "line 6, column 1; error: 'tanh.approx.f32' needs sm_75 or higher, this is sm_70");
  CHECK(form_error("tanh.approx.f32 %f1, %f2;", {70, 75}) == "no error");
}

TEST_CASE("Every row of the table can be read") {
  std::set<std::string> seen;
  for (const InstructionRow& row : all_instructions()) {
    CAPTURE(row.index, row.opcode);
    for (const ModifierSlot& slot : row.modifiers) CHECK_FALSE(slot.alternatives.empty());
    const auto needs = [&](OperandType type) {
      return std::any_of(row.operands.begin(), row.operands.end(),
                         [&](const OperandSlot& s) { return s.type == type; });
    };
    const auto count_types = std::count_if(row.modifiers.begin(), row.modifiers.end(), [](const ModifierSlot& slot) {
      return type_named(slot.alternatives[0]).has_value() && !slot.is_optional;
    });
    if (needs(OperandType::first)) CHECK(count_types >= 1);
    if (needs(OperandType::second)) CHECK(count_types >= 2);
  }
  CHECK(all_instructions().size() > 150);
}

TEST_CASE("Special registers have components and types") {
  REQUIRE(special_register("%ctaid", "y"));
  CHECK(special_register("%ctaid", "y")->id == Special::ctaid_y);
  CHECK(special_register("%clock64", "")->type == Type::u64);
  CHECK_FALSE(special_register("%tid", "v"));
  CHECK(is_clock(Special::globaltimer));
  CHECK_FALSE(is_clock(Special::laneid));
}

}  // namespace
}  // namespace jitc::emulator_test
