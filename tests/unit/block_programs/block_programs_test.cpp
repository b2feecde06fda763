// Programs made by chance. JITC_BLOCK_SEED and JITC_BLOCK_COUNT look further.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

#include "src/kernel/kernel.hpp"
#include "tests/unit/block_programs/run_block_program.hpp"

namespace jitc::blocks {
namespace {

uint64_t setting(const char* name, uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

/// Calls check(program) -> what is wrong, and shows the program where that is not empty.
template <class Check>
void for_each_program(uint64_t usual_count, Check check) {
  const uint64_t first = setting("JITC_BLOCK_SEED", 1), count = setting("JITC_BLOCK_COUNT", usual_count);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const BlockProgram program = random_block_program(seed);
    const std::string wrong = check(program);
    if (wrong.empty()) continue;
    const auto& [bx, by, bz] = program.block;
    const auto& [gx, gy, gz] = program.grid;
    INFO("seed " << seed << ", grid " << gx << "," << gy << "," << gz << ", block " << bx << "," << by << "," << bz);
    INFO(kernel::print(program.program));
    FAIL_CHECK(wrong);
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

}  // namespace
}  // namespace jitc::blocks
