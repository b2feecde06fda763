// Kernels of which a host stores the results past its caches.
#pragma once

#include <algorithm>

#include "src/kernel/call_form.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::kernel {

/// ElementwiseForm::streams: said by what the addresses of the results are multiples of, and by nothing else.
inline bool streams(const KernelProgram& program) {
  return std::ranges::any_of(program.params, [](const Param& p) { return p.align_bytes == kStreamAlign; });
}

}  // namespace jitc::kernel
