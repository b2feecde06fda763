// The ptx-* and asm-* keys of a case.
#pragma once

#include <string>
#include <vector>

#include "tests/support/run_cases/case.hpp"

namespace jitc::cases {

/// Every pattern that `texts` (the PTX or the assembly of all kernels looked at) does not satisfy.
std::vector<std::string> broken_patterns(const std::vector<PatternCheck>& checks, PatternCheck::Text text,
                                         const std::string& generated);

}  // namespace jitc::cases
