// Whether LLVM may be told that the threads of a row are parallel (llvm.loop.parallel_accesses).
#pragma once

#include "src/kernel/ir.hpp"

namespace jitc::codegen {

/// Threads are independent, but the hint also frees LLVM 19 from the order within one thread where it joins strided
/// accesses into groups (VectorUtils.h, InterleavedAccessInfo: no recorded dependence, no order): a strided load is
/// hoisted above an earlier store of the same thread, a strided store sinks below a later access. `body` is what the
/// loop over the row runs. False where such a pair exists; LLVM then finds out about dependences and overlap itself.
///
///     t = a[2 * i]
///     b[2 * i + 1] = t + 1      # b may be a
///     u = a[2 * i + 1]          # would be loaded together with a[2 * i], too early
bool is_order_safe_in_parallel_rows(const kernel::KernelProgram& program, const kernel::Block& body);

}  // namespace jitc::codegen
