// A thread does a short row straight on: all elements are values of its own, and so are the columns of the tree.
//
//     x0 = element(row, 0); x1 = element(row, 1); x2 = element(row, 2)
//     sum = (x0 + x2) + x1
//     out[row, 0] = x0 / sum; …
//
// Threads along x have neighbouring results, as in the kernels of ufuncs: on the CPU they are a vector loop.
#include <bit>

#include "src/kernel/row_lowering.hpp"

namespace jitc::kernel {

namespace {

class UnrolledRows : public RowLowering {
 public:
  using RowLowering::RowLowering;

  void run() override {
    JITC_CHECK(form_.count > 0 && form_.count <= kRowColumns, "a row of this many elements is not unrolled");
    JITC_CHECK(!writes_partials(), "a short row is not one of several blocks");
    const uint32_t inner = form_.outer_rank - 1U;
    const ExprId line = line_number();
    first_lane_ = int_local("begin", mul(b_.thread(ThreadValue::kBlockIdx), b_.thread(ThreadValue::kBlockDim)));
    ExprId lines = number(1);
    for (uint32_t axis = 0; axis < inner; ++axis) lines = axis == 0 ? extent(axis) : mul(lines, extent(axis));
    const ExprId here = sub(extent(inner), b_.local(first_lane_));
    const ExprId inside = binary(BinaryOp::kAnd, less(line, lines), less(b_.thread(ThreadValue::kThreadIdx), here));
    b_.if_then(inside, [&] {
      find_row(line, inner, {});
      const std::vector<ExprId> lane = {b_.local(first_lane_), b_.thread(ThreadValue::kThreadIdx)};
      for (uint16_t e = 0; e < form_.count; ++e) points_.emplace_back(*this, element_place({number(e)}, lane));
      run_stages();
    });
  }

 private:
  void walk(uint32_t s) override {
    for (size_t fold = 0; fold < stage(s).folds.size(); ++fold) {
      std::vector<FoldState> columns;
      for (ElementPoint& point : points_) columns.push_back(pin(point.state(s, fold)));
      set_fold(s, fold, halve(stage(s).folds[fold], std::move(columns)));
    }
    if (!stores_elements(s)) return;
    // All are computed before the first is stored: the output may lie over an operand.
    for (ElementPoint& point : points_) {
      for (size_t k = 0; k < kernel_.outputs.size(); ++k) {
        if (is_element_output(k)) point.value(kernel_.outputs[k].value);
      }
    }
    for (ElementPoint& point : points_) store_elements(point);
  }

  /// Columns that are not there leave those to their left as they are.
  FoldState halve(const Fold& fold, std::vector<FoldState> columns) {
    for (size_t step = std::bit_ceil(columns.size()) / 2; step > 0; step /= 2) {
      for (size_t c = 0; c < step && c + step < columns.size(); ++c) {
        columns[c] = combine(fold, columns[c], columns[c + step]);
      }
      columns.resize(std::min(columns.size(), step));
    }
    return columns[0];
  }

  std::vector<ElementPoint> points_;
};

}  // namespace

std::unique_ptr<RowLowering> make_unrolled_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form) {
  return std::make_unique<UnrolledRows>(lowerer, kernel, form);
}

}  // namespace jitc::kernel
