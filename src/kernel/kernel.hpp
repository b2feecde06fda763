// What the folder offers on kernel programs: verify, print, simplify.
#pragma once

#include <string>
#include <vector>

#include "src/kernel/ir.hpp"

namespace jitc::kernel {

/// Every broken rule of the IR, each with the node it was found at; empty when the program is well formed.
std::vector<std::string> verify(const KernelProgram& program);

/// Readable, deterministic text of the whole program (jitc inspect --ir).
std::string print(const KernelProgram& program);

/// Drops the parameters that no expression uses and renumbers the rest.
KernelProgram drop_unused_params(KernelProgram program);

/// Count of expression and statement nodes: what the instruction limit counts.
size_t node_count(const KernelProgram& program);

}  // namespace jitc::kernel
