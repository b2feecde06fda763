// Long sides of vector selects are computed only where a lane asks for them.
#include "src/codegen/rare_lanes.hpp"

#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>

#include <bit>
#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/codegen/cpu_program.hpp"
#include "tests/unit/codegen/kernels.hpp"

namespace {

using namespace jitc;
using namespace jitc::codegen::tests;
using namespace jitc::kernel;

/// `length` products in a row, named <name>1, <name>2, …
std::string chain(const std::string& name, int length) {
  std::string text, last = "%x";
  for (int i = 1; i <= length; ++i) {
    const std::string next = "%" + name + std::to_string(i);
    text += next + " = fmul <8 x float> " + last + ", %y\n";
    last = next;
  }
  return text;
}

std::string last_of(const std::string& name, int length) { return "%" + name + std::to_string(length); }

std::string function_of(const std::string& body) {
  return "define <8 x float> @f(<8 x float> %x, <8 x float> %y, ptr %p) {\n%c = fcmp olt <8 x float> %x, %y\n" + body +
         "ret <8 x float> %result\n}\n";
}

/// Blocks of the function after the pass, which leaves it valid; `instructions` (may be null) of each.
size_t blocks_after(const std::string& body, std::vector<size_t>* instructions = nullptr) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(function_of(body), diagnostic, context);
  INFO(diagnostic.getMessage().str());
  REQUIRE(module != nullptr);
  codegen::skip_rare_lanes(*module);
  std::string problems;
  llvm::raw_string_ostream out(problems);
  const bool is_broken = llvm::verifyModule(*module, &out);
  INFO(problems);
  CHECK(!is_broken);
  if (instructions) {
    for (const llvm::BasicBlock& block : *module->getFunction("f")) instructions->push_back(block.size());
  }
  return module->getFunction("f")->size();
}

TEST_CASE("a long side moves behind a branch") {
  for (const bool long_is_first : {true, false}) {
    std::vector<size_t> instructions;
    const std::string first = last_of("a", long_is_first ? 50 : 10), second = last_of("b", long_is_first ? 10 : 50);
    const std::string body = chain("a", long_is_first ? 50 : 10) + chain("b", long_is_first ? 10 : 50) +
                             "%result = select <8 x i1> %c, <8 x float> " + first + ", <8 x float> " + second + "\n";
    REQUIRE(blocks_after(body, &instructions) == 3);
    CHECK(instructions == std::vector<size_t>{14, 52, 2});  // with the condition, the mask, its test and the jumps
  }
}

TEST_CASE("several selects by one condition move together") {
  const std::string body = chain("a", 50) + chain("b", 10) +
                           "%s = select <8 x i1> %c, <8 x float> %a50, <8 x float> %b10\n"
                           "%t = select <8 x i1> %c, <8 x float> %a49, <8 x float> %b9\n"
                           "%result = fadd <8 x float> %s, %t\n";
  CHECK(blocks_after(body) == 3);
}

TEST_CASE("a select whose value is used before the last one stays") {
  const std::string body = chain("a", 50) + chain("b", 50) +
                           "%s = select <8 x i1> %c, <8 x float> %a50, <8 x float> %x\n"
                           "%u = fadd <8 x float> %s, %s\n"
                           "%result = select <8 x i1> %c, <8 x float> %b50, <8 x float> %u\n";
  CHECK(blocks_after(body) == 1);
}

TEST_CASE("short sides, special values and what others need too stay where they are") {
  const std::string select = "%result = select <8 x i1> %c, <8 x float> ";
  CHECK(blocks_after(chain("a", 30) + chain("b", 10) + select + "%a30, <8 x float> %b10\n") == 1);
  CHECK(blocks_after(chain("a", 50) + select + "%a50, <8 x float> %x\n") == 1);
  CHECK(blocks_after(chain("a", 50) + chain("b", 10) + "store <8 x float> %a50, ptr %p\n" + select +
                     "%a50, <8 x float> %b10\n") == 1);
}

TEST_CASE("what reads memory does not move behind a store") {
  const std::string load = "%x1 = load <8 x float>, ptr %p\n", store = "store <8 x float> %y, ptr %p\n";
  std::string with_load = chain("a", 50);
  with_load.replace(with_load.find("%x,"), 3, "%x1,");
  const std::string rest = chain("b", 10) + "%result = select <8 x i1> %c, <8 x float> %a50, <8 x float> %b10\n";
  std::vector<size_t> after, before;
  CHECK(blocks_after(load + store + with_load + rest, &before) == 3);
  CHECK(blocks_after(store + load + with_load + rest, &after) == 3);
  CHECK(before[1] + 1 == after[1]);
}

TEST_CASE("vectors with huge arguments among others have the bits of single ones") {
  for (const MathFn fn : {MathFn::kSin, MathFn::kCos, MathFn::kTan}) {
    const CpuProgram program(elementwise("huge", DType::f4, {DType::f4},
                                         [&](Builder& k, const auto& operands) { return k.math(fn, {operands[0]}); }));
    std::vector<float> x(256), together(256), alone(256);
    for (size_t i = 0; i < x.size(); ++i) {
      const auto base = static_cast<float>(i) * 0.37f - 40;
      x[i] = i % 61 == 5 ? base * 0x1p80f : base;
    }
    x[100] = std::numeric_limits<float>::infinity();
    program.run(launch_for(256), int64_t{256}, together.data(), x.data());
    for (size_t i = 0; i < x.size(); ++i) program.run(launch_for(1), int64_t{1}, &alone[i], &x[i]);
    for (size_t i = 0; i < x.size(); ++i) {
      INFO(x[i]);
      const bool both_are_nan = together[i] != together[i] && alone[i] != alone[i];
      CHECK((both_are_nan || std::bit_cast<uint32_t>(together[i]) == std::bit_cast<uint32_t>(alone[i])));
    }
  }
}

}  // namespace
