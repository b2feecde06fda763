#include "runtime/emulator/check/alu_shadow.hpp"

#include <catch2/catch.hpp>

#include "runtime/emulator/program/load_module.hpp"

using namespace jitc::emulator;

namespace {

/// Runs one instruction whose sources %a and %b have these values and undefined bits in lane 0; %d is its result.
class OneInstruction {
 public:
  struct Source {
    Bits value;
    Bits undefined;
  };

  OneInstruction(const std::string& instruction, Source a, Source b, const std::string& type = "b32")
      : loaded_(load_module(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg ." + type +
                            " %a, %b; .reg .b32 %d; .reg .pred %p;\nmov." + type + " %a, %b;\nmov." + type +
                            " %b, %a;\n" + instruction + "\nret;\n}\n")),
        linked_(link(loaded_.programs.at(0), loaded_.image, 0, 0)) {
    const DecodedFunction& function = *linked_.functions[0].decoded;
    const Step& step = function.steps[2];
    const Slot slot_a = function.steps[0].dst, slot_b = function.steps[1].dst;
    frame_.function = &linked_.functions[0];
    frame_.rows.resize(size_t{function.count_slots} * kLanes);
    FrameShadow shadow(function);
    const auto set = [&](Slot slot, Source source) {
      frame_.row(slot)[0] = source.value;
      shadow.registers[static_cast<size_t>(slot.index)].set(0, {source.undefined, false}, {});
    };
    set(slot_a, a);
    set(slot_b, b);
    shadow_alu(frame_, shadow, step, 1);
    result = shadow.registers[static_cast<size_t>(step.dst.index)].of(0);
  }

  Undefined result;

 private:
  LoadedModule loaded_;
  LinkedProgram linked_;
  Frame frame_ = {nullptr, nullptr, nullptr, 0, 0, 0, {}, nullptr};
};

Bits undefined(const std::string& instruction, OneInstruction::Source a, OneInstruction::Source b) {
  return OneInstruction(instruction, a, b).result.bits;
}

}  // namespace

TEST_CASE("an undefined bit goes where the instruction moves it") {
  CHECK(undefined("shl.b32 %d, %a, 8;", {0, 0xff}, {}) == 0xff00);
  CHECK(undefined("prmt.b32 %d, %a, %b, 0x1054;", {0, 0xff}, {}) == 0xff0000);
  CHECK(undefined("bfe.u32 %d, %a, 4, 4;", {0, 0x3c}, {}) == 0x3);
  CHECK(undefined("xor.b32 %d, %a, %b;", {0, 0xf0}, {0x55, 0}) == 0xf0);
}

TEST_CASE("what does not depend on an undefined bit is defined") {
  CHECK(undefined("and.b32 %d, %a, %b;", {0, 0xffff}, {0xff00, 0}) == 0xff00);
  CHECK(undefined("or.b32 %d, %a, 0xffff;", {0, 0xffffffff}, {}) == 0xffff0000);
  CHECK(undefined("xor.b32 %d, %a, %a;", {0, 0xffffffff}, {}) == 0);
  CHECK(undefined("mul.lo.u32 %d, %a, %b;", {0, 0xffffffff}, {0, 0}) == 0);
  CHECK(undefined("shr.u32 %d, %a, 16;", {0, 0xffff}, {}) == 0);
  CHECK(undefined("setp.lt.u32 %p, %a, %b;", {0x100, 0xff}, {0x200, 0}) == 0);
}

TEST_CASE("a comparison that an undefined bit decides is undefined") {
  CHECK(undefined("setp.lt.u32 %p, %a, %b;", {0x100, 0xff}, {0x180, 0}) == 1);
  CHECK(undefined("setp.eq.u32 %p, %a, %b;", {0, 0xffffffff}, {0x12345678, 0}) == 1);
  CHECK(undefined("setp.gt.f32 %p, %a, %b;", {0, 0xffffffff}, {0, 0}) == 1);
  CHECK(undefined("setp.neu.f32 %p, %a, %a;", {0, 0xffffffff}, {}) == 1);
}

TEST_CASE("two undefined values are not equal") {
  CHECK(undefined("sub.u32 %d, %a, %b;", {0, 0xffffffff}, {0, 0xffffffff}) != 0);
}

TEST_CASE("a value that is moved is not a computed one") {
  CHECK_FALSE(OneInstruction("shl.b32 %d, %a, 8;", {0, 0xff}, {}).result.is_computed);
  CHECK(OneInstruction("add.u32 %d, %a, %b;", {0, 0xff}, {}).result.is_computed);
}
