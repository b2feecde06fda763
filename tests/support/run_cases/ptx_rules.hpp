// What holds for every line of PTX that the compiler makes.
#pragma once

#include <string>
#include <vector>

#include "jitc/artifact.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::cases {

/// Every broken rule: contractible or approximate arithmetic, flushed subnormals, f8 instructions in a program without
/// f8 values, a target that is not the one asked for.
std::vector<std::string> broken_ptx_rules(const std::string& ptx, int sm, const kernel::KernelProgram& program);

/// What ptxas says against the text; empty when it accepts it, or when there is no ptxas (said once, on stderr).
std::string ptxas_complaint(const std::string& ptx, int sm);

}  // namespace jitc::cases
