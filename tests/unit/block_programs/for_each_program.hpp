// Tests over many programs. JITC_BLOCK_SEED and JITC_BLOCK_COUNT look further.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "src/kernel/kernel.hpp"
#include "tests/unit/block_programs/run_block_program.hpp"
#include "tests/unit/block_programs/shrink.hpp"

namespace jitc::blocks {

inline uint64_t setting(const char* name, uint64_t usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

/// Calls check(program) -> what is wrong, and shows a small program of which that is true.
template <class Check>
void for_each_program(uint64_t usual_count, Check check, Defined defined = Defined::on_cpu) {
  const uint64_t first = setting("JITC_BLOCK_SEED", 1), count = setting("JITC_BLOCK_COUNT", usual_count);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const BlockProgram program = random_block_program(seed, defined);
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

}  // namespace jitc::blocks
