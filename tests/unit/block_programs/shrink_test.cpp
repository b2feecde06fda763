#include "tests/unit/block_programs/shrink.hpp"

#include <catch2/catch.hpp>

#include "src/kernel/kernel.hpp"

namespace jitc::blocks {
namespace {

TEST_CASE("A program shrinks to what makes it wrong") {
  const auto holds = [](const BlockProgram& program, const char* what) {
    return kernel::print(program.program).find(what) != std::string::npos;
  };
  const IsWrong is_wrong = [&](const BlockProgram& program) {
    return holds(program, "loop together") && holds(program, "warp_ballot");
  };
  uint64_t seed = 1;
  while (!is_wrong(random_block_program(seed))) ++seed;
  const BlockProgram small = shrink(random_block_program(seed), is_wrong);
  CHECK(is_wrong(small));
  const std::string text = kernel::print(small.program);
  for (const char* gone : {"if ", "store", "atomic", "barrier", "step:"}) CHECK(text.find(gone) == std::string::npos);
}

}  // namespace
}  // namespace jitc::blocks
