// What a program's code depends on, as bytes: programs of one key have the same code.
#pragma once

#include <string>

#include "src/kernel/ir.hpp"

namespace jitc::kernel {

/// Everything but names and places in the text, which code with a line table alone has in it: renaming, comments and
/// layout leave the key as it is. The same in every process.
std::string code_key(const KernelProgram& program);

}  // namespace jitc::kernel
