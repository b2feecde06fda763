// Programs made by chance. JITC_BLOCK_SEED and JITC_BLOCK_COUNT look further.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "src/codegen/codegen.hpp"
#include "src/kernel/kernel.hpp"
#include "tests/support/run_cases/ptx_rules.hpp"
#include "tests/unit/block_programs/run_block_program.hpp"
#include "tests/unit/block_programs/shrink.hpp"

namespace jitc::blocks {
namespace {

uint64_t setting(const char* name, uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

/// Calls check(program) -> what is wrong, and shows a small program of which that is true.
template <class Check>
void for_each_program(uint64_t usual_count, Check check) {
  const uint64_t first = setting("JITC_BLOCK_SEED", 1), count = setting("JITC_BLOCK_COUNT", usual_count);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const BlockProgram program = random_block_program(seed);
    const std::string wrong = check(program);
    if (wrong.empty()) continue;
    const BlockProgram small = shrink(program, [&](const BlockProgram& tried) { return !check(tried).empty(); });
    const auto& [bx, by, bz] = program.block;
    const auto& [gx, gy, gz] = program.grid;
    INFO("seed " << seed << ", grid " << gx << "," << gy << "," << gz << ", block " << bx << "," << by << "," << bz);
    INFO(kernel::print(small.program));
    FAIL_CHECK(wrong << "; when shrunk: " << check(small));
  }
}

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
