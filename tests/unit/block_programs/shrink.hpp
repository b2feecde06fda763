// From a program on which two executors differ to a small one.
#pragma once

#include <functional>

#include "tests/unit/block_programs/random_block_programs.hpp"

namespace jitc::blocks {

using IsWrong = std::function<bool(const BlockProgram&)>;

/// Takes statements away, and puts branches in the place of their If, as long as the rest is still wrong. What is_wrong
/// gets may have statements and declarations that nothing refers to.
BlockProgram shrink(BlockProgram program, const IsWrong& is_wrong, int max_tries = 2000);

}  // namespace jitc::blocks
