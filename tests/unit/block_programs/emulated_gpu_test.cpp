// The same programs as PTX, executed.
#include "tests/unit/block_programs/for_each_program.hpp"
#include "tests/unit/block_programs/run_on_gpu.hpp"

namespace jitc::blocks {
namespace {

TEST_CASE("PTX on the emulated GPU does what the reference interpreter does") {
  Gpu gpu(JITC_CUDAEMU);
  const auto difference_of = [&](const BlockProgram& program) -> std::string {
    const BlockRun expected = run_reference(program);
    if (!expected.error.empty()) return {};
    const std::string found = difference(expected, gpu.run(program, program.seed % 2 == 0 ? 70 : 80));
    return found.empty() || !difference(expected, run_reference(program, true)).empty() ? std::string() : found;
  };
  for_each_program(150, difference_of, Defined::everywhere);
}

}  // namespace
}  // namespace jitc::blocks
