// What people and tools that read PTX want to know of an entry: which of its parameters is what of which argument.
#pragma once

#include <string>

#include "src/kernel/ir.hpp"

namespace jitc::codegen {

/// Comment lines that stand above the entry. The format is a promise: docs/cuda.md, "Reading the PTX".
///
///     // axpy(a: f4, x: f4[:])
///     //   param 0: a
///     //   param 1: x.data
///     //   param 2: x.shape[0]
///     //   param 3: x.strides[0]
///
/// What the kernel does not use is no parameter. Where a stride is none, the array is contiguous along that axis, or
/// the index there is always 0.
std::string param_comment(const kernel::KernelProgram& program);

/// Puts param_comment() into a PTX text.
void add_param_comment(const kernel::KernelProgram& program, std::string& ptx);

}  // namespace jitc::codegen
