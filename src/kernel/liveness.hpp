// Which locals' values a thread still needs, at each statement.
#pragma once

#include <vector>

#include "src/kernel/local_set.hpp"

namespace jitc::kernel {

struct Liveness {
  std::vector<LocalSet> before;       ///< by statement: live where it begins
  std::vector<LocalSet> before_test;  ///< by statement: of a Loop, live where its condition is evaluated; else empty
};

Liveness find_liveness(const KernelProgram& program);

/// The locals that an expression reads, its operands' included.
void add_reads(const KernelProgram& program, ExprId id, LocalSet& out);

}  // namespace jitc::kernel
