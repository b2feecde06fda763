// Typed kernels to kernel programs.
#pragma once

#include <memory>
#include <stdexcept>

#include "src/kernel/ir.hpp"
#include "src/sema/typed.hpp"
#include "src/source/source_file.hpp"

namespace jitc::kernel {

struct LowerOptions {
  /// Treats arrays of layout `any` as C-contiguous.
  bool contiguous = false;
  size_t max_nodes = size_t{1} << 20;
};

/// The kernel has more than LowerOptions::max_nodes nodes once its device functions are inlined.
class ProgramTooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Lowers one typed kernel: device functions are inlined, tuples and arrays spread into scalars, negative indices
/// wrapped, bounds checked where asked. The result verifies.
KernelProgram lower(const source::SourceFile& file, const types::TypeTable& types, const sema::TypedFunction& kernel,
                    const LowerOptions& options);

/// The entry name of a kernel with these arguments: letters, digits and underscores, stable across runs.
std::string mangle(const std::string& name, const std::vector<ArgumentInfo>& arguments);

}  // namespace jitc::kernel
