// Kernels over rows: docs/design/row-folds.md says what they compute, rows_*.cpp how.
#include "src/kernel/kernel.hpp"
#include "src/kernel/lower.hpp"
#include "src/kernel/row_lowering.hpp"

namespace jitc::kernel {

namespace {

std::unique_ptr<RowLowering> make_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form) {
  switch (form.shape) {
    case RowsForm::Shape::unrolled: return make_unrolled_rows(lowerer, kernel, form);
    case RowsForm::Shape::tile:
    case RowsForm::Shape::side: return make_side_rows(lowerer, kernel, form);
    case RowsForm::Shape::packed: return make_packed_rows(lowerer, kernel, form);
    case RowsForm::Shape::along: return make_along_rows(lowerer, kernel, form);
    case RowsForm::Shape::warp:
    case RowsForm::Shape::block: return make_warp_rows(lowerer, kernel, form);
  }
  JITC_CHECK(false, "no such shape of rows");
}

/// Whose names and options the kernel has: those of what it does to its elements.
const sema::TypedFunction& first_function(const RowKernel& kernel) {
  for (const RowStage& stage : kernel.stages) {
    if (stage.element) return *stage.element;
    if (stage.row) return *stage.row;
  }
  JITC_CHECK(false, "a kernel over rows without a function");
}

}  // namespace

KernelProgram Lowerer::run_rows(const RowKernel& kernel, const RowsForm& form) {
  const sema::TypedFunction& function = first_function(kernel);
  Frame frame;
  frame.fn = &function;
  frame_ = &frame;
  b_.at(kernel.span);
  make_rows(*this, kernel, form)->run();
  const uint32_t max_threads = b_.program().max_threads_per_block;
  KernelProgram program = finish(function);
  program.name = kernel.name;
  program.symbol = mangle(kernel.name, program.arguments);
  program.signature = kernel.name;
  program.max_threads_per_block = max_threads;
  return program;
}

KernelProgram lower_rows(const source::SourceFile& file, const types::TypeTable& types, const RowKernel& kernel,
                         const RowsForm& form, const LowerOptions& options) {
  return Lowerer(file, types, options).run_rows(kernel, form);
}

}  // namespace jitc::kernel
