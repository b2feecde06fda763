// How values differ along a row of threads: those that differ in x alone, which the CPU runs as one loop.
#pragma once

#include <vector>

#include "src/kernel/ir.hpp"

namespace jitc::codegen {

enum class Variation : uint8_t {
  kRow,        ///< one value for the whole row
  kThreadIdx,  ///< the thread's x in its block
  kGlobalIdx,  ///< the thread's x in the grid
  kOther,
};

/// `locals`: of each local's value where the expression stands. Expressions larger than any index or guard that people
/// write are kOther.
Variation variation_of(const kernel::KernelProgram& program, kernel::ExprId id, const std::vector<Variation>& locals);

/// Of each local's value after its one assignment; kOther for locals with several.
std::vector<Variation> variation_of_locals(const kernel::KernelProgram& program);

}  // namespace jitc::codegen
