// Readable, deterministic texts of array programs and their plans (jitc inspect --array, --plan).
#pragma once

#include <string>

#include "src/array/plan.hpp"
#include "src/source/source_file.hpp"

namespace jitc::array {

/// The program, node by node, and what became of it: which nodes are in which kernel, and why they are not in another.
std::string print_program(const source::SourceFile& file, const Plan& plan);

/// What one call does: kernels with what they read and write, and the steps in their order.
std::string print_plan(const source::SourceFile& file, const Plan& plan);

}  // namespace jitc::array
