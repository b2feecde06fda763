// Programs made by chance, on the interpreter and on the CPU.
#include <catch2/catch.hpp>

#include "src/codegen/codegen.hpp"
#include "src/kernel/kernel.hpp"
#include "tests/support/run_cases/ptx_rules.hpp"
#include "tests/unit/block_programs/for_each_program.hpp"

namespace jitc::blocks {
namespace {

TEST_CASE("Random programs are well formed, and the same seed makes the same one") {
  for_each_program(300, [](const BlockProgram& program) {
    const std::vector<std::string> broken = kernel::verify(program.program);
    return broken.empty() ? std::string() : broken.front();
  });
  CHECK(kernel::print(random_block_program(7).program) == kernel::print(random_block_program(7).program));
  CHECK(kernel::print(random_block_program(7).program) != kernel::print(random_block_program(8).program));
}

TEST_CASE("What random programs do does not depend on the order of their threads") {
  for_each_program(200, [](const BlockProgram& program) {
    const BlockRun forwards = run_reference(program);
    return forwards.error + difference(forwards, run_reference(program, true));
  });
}

/// Programs that are wrong themselves, as some become when they shrink, show nothing.
std::string cpu_difference(const BlockProgram& program) {
  const BlockRun expected = run_reference(program);
  // Optimised, a program takes a hundred times as long to compile.
  const int opt_level = program.seed % 50 == 0 ? 3 : 0;
  if (!expected.error.empty()) return {};
  const std::string found = difference(expected, run_cpu(program, opt_level));
  return found.empty() || !difference(expected, run_reference(program, true)).empty() ? std::string() : found;
}

TEST_CASE("The CPU back end does what the reference interpreter does") { for_each_program(1000, cpu_difference); }

TEST_CASE("ptxas takes what becomes of random programs") {
  for_each_program(40, [](const BlockProgram& program) {
    const int sm = program.seed % 2 == 0 ? 75 : 90;
    const std::string ptx = codegen::emit(program.program, {codegen::Target::Kind::nvptx, sm}).code;
    return cases::ptxas_complaint(ptx, sm);
  });
}

}  // namespace
}  // namespace jitc::blocks
