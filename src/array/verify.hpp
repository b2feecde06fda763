// The rules of array programs.
#pragma once

#include <string>
#include <vector>

#include "src/array/ir.hpp"

namespace jitc::array {

/// Every broken rule, with the node it was found at; empty when the program is well formed.
std::vector<std::string> verify(const Program& program);

}  // namespace jitc::array
