// Typed kernels to kernel programs.
#pragma once

#include <compare>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/kernel/ir.hpp"
#include "src/sema/typed.hpp"
#include "src/source/source_file.hpp"

namespace jitc::kernel {

struct LowerOptions {
  /// Treats arrays of layout `any` as C-contiguous.
  bool contiguous = false;
  size_t max_nodes = size_t{1} << 20;
  bool line_info = false;  ///< for every kernel; else for those that ask for it
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

/// How a call of a ufunc gives its arguments: one kernel serves all calls of one form.
struct UfuncForm {
  /// By parameter: an array, walked element by element; else one scalar for all elements.
  std::vector<bool> is_array;

  auto operator<=>(const UfuncForm&) const = default;
};
/// All arguments are arrays: the form that compile and inspect show.
UfuncForm all_arrays(const sema::TypedFunction& function);

/// The kernel around a ufunc's scalar function. Its arguments are the ufunc's, arrays as C-contiguous ones of rank 1
/// and of one size, and then the result "out": `i = cuda.grid(1); if i < out.size: out[i] = f(a[i], b, …)`. Verifies.
KernelProgram lower_ufunc(const source::SourceFile& file, const types::TypeTable& types,
                          const sema::TypedFunction& function, const UfuncForm& form, const LowerOptions& options);

/// The entry name of a kernel with these arguments: letters, digits and underscores, stable across runs.
/// Many types are written as their number and a hash.
std::string mangle(const std::string& name, const std::vector<ArgumentInfo>& arguments);

}  // namespace jitc::kernel
