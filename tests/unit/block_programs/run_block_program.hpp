// The ways to run a block program.
#pragma once

#include <optional>
#include <string>

#include "jitc/cpu_abi.hpp"
#include "tests/unit/block_programs/random_block_programs.hpp"

namespace jitc::blocks {

struct BlockRun {
  BlockMemory memory;
  bool failed = false;
  std::string error;  ///< what no correct program does
};

BlockRun run_reference(const BlockProgram& program, bool backwards = false);
BlockRun run_cpu(const BlockProgram& program, int opt_level);

/// The first difference in words; empty when there is none.
std::string difference(const BlockRun& expected, const BlockRun& actual);

}  // namespace jitc::blocks
