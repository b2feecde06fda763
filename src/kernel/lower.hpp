// Typed kernels to kernel programs.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/kernel/call_form.hpp"
#include "src/kernel/contract_kernel.hpp"
#include "src/kernel/ir.hpp"
#include "src/kernel/row_kernel.hpp"
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

/// The kernel around a function that is called with whole arrays. Throws ProgramTooLarge. Verifies.
KernelProgram lower_call(const source::SourceFile& file, const types::TypeTable& types,
                         const sema::TypedFunction& function, const CallForm& form, const LowerOptions& options);

/// The kernel over rows for one form of its calls. Throws ProgramTooLarge. Verifies. Its arguments are:
///   1. the operands; an index gives its value at the first element, a scalar of i8;
///   2. middle, last: the partial results that are read, partial_dtypes() for each fold in order;
///   3. first, middle: the partial results that are written, likewise; whole, last: the outputs;
///   4. "axes", an array of which there are only the extents of the outer and then the inner axes (middle, last: the
///      number of partial results of a row);
///   5. for each index among the operands an array of which there are only strides: its steps along these axes.
/// Outputs of a row have the outer axes alone; partial results these and one more, from block to block of a row.
/// Strides of what stands still along an axis are 0.
KernelProgram lower_rows(const source::SourceFile& file, const types::TypeTable& types, const RowKernel& kernel,
                         const RowsForm& form, const LowerOptions& options);

/// The kernel of a contraction. Verifies, and throws ProgramTooLarge. Its arguments are, in this order:
///   - the operands of a, those of b, and those of the epilogue. An array of a has the axes (batch…, m, k), one of b
///     (batch…, k, n), one of the epilogue (batch…, m, n); where an operand does not depend on an axis, its stride
///     there is 0. An index is two arguments: a scalar, its value at the first element, and what looks like an array of
///     i8 with these axes, of which only the strides are read: they are the steps of the index, not bytes;
///   - the outputs, with the axes (batch…, m, n). The extents of the batch axes, m and n are those of the first one;
///   - the scalar "k" of i8, the extent of k, which may be 0;
///   - on a host the scalars "tile_m" and "tile_n" of i8: rows and columns of a tile, at most the form's block_m and
///     block_n, multiples of its thread_m and thread_n.
/// It is launched with ceil(m / tile_m) * ceil(n / tile_n) * batch blocks along x, on a device with the tile's block_m
/// and block_n, of (block_m / thread_m) * (block_n / thread_n) threads along x, on a host of one. Strides that are not
/// read have no parameter, as in all programs.
KernelProgram lower_contract(const source::SourceFile& file, const types::TypeTable& types,
                             const ContractKernel& kernel, const ContractForm& form, const LowerOptions& options);

/// The form that compile and inspect show: all arguments are C-contiguous arrays of one size. Its arguments are the
/// ufunc's, and then its results: `i = cuda.grid(1); if i < out.size: out[i] = f(a[i], b[i], …)`.
CallForm plain_form(const types::TypeTable& types, const sema::TypedFunction& function);

/// The same of a gufunc: arrays with one loop axis, and cores that are C-contiguous.
GufuncForm plain_gufunc_form(const sema::TypedFunction& function);

/// The same of a reduction, of many elements that lie anyhow along one axis: its arguments are the array and the
/// result.
CallForm plain_reduction();

/// What each call of the ufunc gives: one type, or one for each item of the tuple that its function returns.
std::vector<DType> result_dtypes(const types::TypeTable& types, const sema::TypedFunction& function);
/// "out", or "out0", "out1", … where there are several.
std::string result_name(size_t index, size_t count);
/// How many elements a thread of a GPU's elementwise kernel does best take at once where their addresses allow it: the
/// widest access of the widest type, but one where the loads and stores are a small part of the work.
uint8_t elems_in_group(const types::TypeTable& types, const sema::TypedFunction& function);

/// The entry name of a kernel with these arguments: letters, digits and underscores, stable across runs.
/// Many types are written as their number and a hash.
std::string mangle(const std::string& name, const std::vector<ArgumentInfo>& arguments);

}  // namespace jitc::kernel
