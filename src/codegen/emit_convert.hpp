// Casts between scalar types, with the language's value for every operand.
#pragma once

#include "src/codegen/emit_integer.hpp"

namespace jitc::codegen {

/// int to int wraps or extends, int to float rounds to nearest even, float to int truncates and saturates with NaN
/// giving 0, to b1 is `!= 0`.
llvm::Value* emit_convert(Builder& b, DType from, DType to, llvm::Value* value);

}  // namespace jitc::codegen
