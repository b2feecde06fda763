#include <catch2/catch.hpp>

#include "runtime/emulator/program/load_module.hpp"
#include "tests/unit/emulator/samples.hpp"
#include "tests/unit/emulator/snippets.hpp"
#include "tests/unit/emulator/table_text.hpp"
#include "tests/unit/emulator/texts.hpp"

namespace jitc::emulator_test {
namespace {

using namespace jitc::emulator;

std::string message_of(const std::string& text, const LoadTarget& target = {}) {
  try {
    load_module(text, target);
  } catch (const LoadError& error) { return error.message(); }
  return "no error";
}

TEST_CASE("What an assembler refuses is refused, in words") {
  for (const WrongSnippet& snippet : wrong_snippets()) {
    CAPTURE(snippet.body);
    CHECK(message_of(entry_text(snippet.body)) == snippet.message);
  }
}

TEST_CASE("What an assembler takes is taken") {
  for (std::string_view body : right_snippets()) {
    CAPTURE(body);
    CHECK(message_of(entry_text(body)) == "no error");
  }
}

TEST_CASE("Every row of the instruction table is taken") { CHECK(load_error(table_text()) == "no error"); }

TEST_CASE("A fault names the line and column of the operand") {
  CHECK(load_error(entry_text("\nadd.f32 %f1, %f2, 1;")) ==
        "line 7, column 19; error: operand 3 of 'add.f32' is an integer constant, which is no .f32");
}

TEST_CASE("Functions that no kernel reaches are checked") {
  CHECK(message_of(module_text(".func f() { foo; }")) == "unknown instruction 'foo'");
}

TEST_CASE("A text for a newer driver or another device is refused as such") {
  const std::string text = module_text("", "8.0", "sm_80");
  CHECK_THROWS_AS(load_module(text, {.sm = 75}), TargetError);
  CHECK(message_of(text, {.sm = 75}) == "the text is for sm_80, the device is sm_75");
  CHECK(message_of(text, {.sm = 90, .max_version = 78}) == "PTX ISA 8.0 is newer than the driver's 7.8");
  CHECK(message_of(module_text("", "8.0", "sm_90a"), {.sm = 100, .max_version = 90}) ==
        "the text is for sm_90a, the device is sm_100");
  CHECK(message_of(text, {.sm = 90}) == "no error");
}

TEST_CASE("A call must fit its function") {
  const std::string f = ".func (.param .b32 r) f(.param .b32 a) { ret; } ";
  const auto calling = [&](const std::string& call) {
    return message_of(module_text(
        f + ".entry k() { .reg .b32 %r<3>; .reg .b64 %rd<3>; { .param .b32 a; .param .b64 b;" + call + "} ret; }"));
  };
  CHECK(calling("call (a), f, (a);") == "no error");
  CHECK(calling("call (%r1), f, (%r2);") == "no error");
  CHECK(calling("call (%r1), f, (3);") == "no error");
  CHECK(calling("call f, (a);") == "the call has 0 results, the function 1");
  CHECK(calling("call (a), f;") == "the call has 0 arguments, the function 1");
  CHECK(calling("call (a), f, (b);") == "'b' does not fit parameter 'a'");
  CHECK(calling("call (%r1), f, (%rd1);") == "operand 1 of 'call' is a .b64 register, which is no .b32");
  CHECK(calling("call (a), k, (a);") == "'k' is a kernel and cannot be called");
  CHECK(calling("call (a), %rd1, (a);") == "a call by address needs a prototype");
}

TEST_CASE("A function without a body must be one of the driver's") {
  const std::string head = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a); .extern .func g();";
  CHECK(message_of(module_text(
            head + ".entry k() { .param .b32 r; .param .b64 f; call (r), vprintf, (f, f); ret; }")) == "no error");
  CHECK(message_of(module_text(head + ".entry k() { call g; ret; }")) == "unresolved extern function 'g'");
}

TEST_CASE("Names are defined once, and memory fits") {
  CHECK(message_of(module_text(".global .b32 a; .const .b32 a;")) == "duplicate definition of variable 'a'");
  CHECK(message_of(module_text(".shared .b32 a; .shared .b32 a;")) == "duplicate definition of variable 'a'");
  CHECK(message_of(module_text(".func f() { } .func f() { }")) == "duplicate definition of function 'f'");
  CHECK(message_of(module_text(".const .b8 a[800000];")) == "'a' does not fit its state space");
  CHECK(message_of(module_text(".entry k(.param .align 4 .b8 a[40000]) { }")) ==
        "the parameters need more than 32764 bytes");
  CHECK(message_of(module_text(".entry k() { .local .b8 a[600000]; }")) == "'a' does not fit local memory");
  CHECK(message_of(module_text(".entry k() { .shared .b8 a[2000000]; .reg .b64 %r; mov.b64 %r, a; }")) ==
        "'a' does not fit shared memory");
}

TEST_CASE("Initial values must fit") {
  CHECK(message_of(module_text(".global .b32 a = b;")) == "unknown symbol 'b'");
  CHECK(message_of(module_text(".global .b8 b; .global .b32 a = b;")) == "the address of 'b' does not fit a .b32");
  CHECK(message_of(module_text(".global .u32 a = 1.5;")) == "a real number in a .u32");
  CHECK(message_of(module_text(".global .f32 a = 1;")) == "an integer in a .f32");
}

}  // namespace
}  // namespace jitc::emulator_test
