// The value of every call into the math library. Functions with one right answer are computed here; for the others the
// library's own bitcode, compiled for the host by clang alone, is called: they have a published bound, and what a back
// end may not change is their bits.
#pragma once

#include <vector>

#include "src/kernel/ir.hpp"
#include "tests/support/scalar_ops.hpp"

namespace jitc::reference {

/// `first` is the type of the first argument; the result has the type that kernel::MathCall says.
Bits math_call(kernel::MathFn fn, DType first, const std::vector<Bits>& args);

}  // namespace jitc::reference
