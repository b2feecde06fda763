// A warp does a row, or a leaf of the block's: a lane is a column. All loads of a stage come before what is computed of
// them; lanes without an element load nothing, and what they compute is dropped.
//
//     x0 = element(leaf + lane); x1 = element(leaf + 32 + lane); … x15      # 16 loads on the way
//     acc = f(f(x0, x1), …)
//     for s in 16, 8, 4, 2, 1: acc = f(acc, shfl_down(acc, s))
//     block: leaves[warp] = acc of lane 0; syncthreads; acc = pairs of neighbours of leaves
//     warp: acc = shfl(acc, 0)
//
// Values of elements stay in registers from stage to stage. 8 warps along y, 32 lanes along x.
#include "src/kernel/row_lowering.hpp"

namespace jitc::kernel {

namespace {

constexpr int64_t kWarps = kRowBlock / kRowLeaf;

/// What a shuffle takes that gives the same value back.
DType word_of(DType dtype) {
  if (size_bytes(dtype) >= 4) return dtype;
  return is_float(dtype) ? DType::f4 : is_unsigned_int(dtype) ? DType::u4 : DType::i4;
}

class WarpRows : public RowLowering {
 public:
  using RowLowering::RowLowering;

  void run() override {
    b_.program().max_threads_per_block = kRowColumns * kWarps;
    lane_ = b_.thread(ThreadValue::kThreadIdx);
    warp_ = b_.thread(ThreadValue::kThreadIdx, 1);
    form_.shape == Shape::warp ? run_warp() : run_block();
  }

 private:
  void run_warp() {
    JITC_CHECK(!writes_partials(), "a short row is not one of several blocks");
    const ExprId row = pin(add(mul(b_.thread(ThreadValue::kBlockIdx), number(kWarps)), warp_));
    b_.if_then(less(row, count_outer()), [&] { run_row(row, number(0), number(0)); });
  }

  /// The grid has a block of threads for each block of elements, and no more.
  void run_block() {
    const ExprId job = b_.thread(ThreadValue::kBlockIdx);
    const ExprId per_row = writes_partials() ? blocks() : number(1);
    const ExprId row = writes_partials() ? pin(quotient(job, per_row)) : job;
    const ExprId block = writes_partials() ? pin(sub(job, mul(row, per_row))) : number(0);
    run_row(row, block, mul(warp_, number(kRowLeaf)));
  }

  void run_row(ExprId row, ExprId block, ExprId leaf) {
    find_block(block);
    find_row(row, form_.outer_rank, block);
    const ExprId begin = pin(add(leaf, lane_));
    // Elements of a block have numbers of 32 bits.
    const auto narrow = [&](ExprId value) { return pin(b_.convert(DType::i4, value)); };
    const ExprId narrow_begin = narrow(begin), narrow_count = narrow(b_.local(count_));
    for (uint16_t k = 0; k < form_.count; ++k) {
      const ExprId beside = b_.constant(DType::i4, k * kRowColumns);
      inside_.push_back(pin(less(add(narrow_begin, beside), narrow_count)));
      RowPlace place = element_place({b_.local(first_), begin, number(k * kRowColumns)});
      place.inside = inside_.back();
      points_.emplace_back(*this, std::move(place));
    }
    run_stages();
  }

  void walk(uint32_t s) override {
    if (!reads_partials()) {
      for (ElementPoint& point : points_) point.load_operands(s);
    }
    for (size_t f = 0; f < stage(s).folds.size(); ++f) {
      const Fold& fold = stage(s).folds[f];
      const FoldState leaf = fold_lanes(fold, fold_columns(s, f));
      set_fold(s, f, form_.shape == Shape::warp ? from_first_lane(fold, leaf) : fold_leaves(fold, leaf));
    }
    if (stores_elements(s)) store_points();
  }

  /// All are computed before the first is stored: the output may lie over an operand.
  void store_points() {
    for (ElementPoint& point : points_) {
      for (size_t k = 0; k < kernel_.outputs.size(); ++k) {
        if (is_element_output(k)) point.value(kernel_.outputs[k].value);
      }
    }
    for (size_t k = 0; k < points_.size(); ++k) {
      b_.if_then(inside_[k], [&] { store_elements(points_[k]); });
    }
  }

  FoldState fold_columns(uint32_t s, size_t f) {
    const Fold& fold = stage(s).folds[f];
    FoldState acc;
    for (size_t k = 0; k < points_.size(); ++k) {
      const FoldState none = identity_state(b_, fold);
      FoldState state = points_[k].state(s, f);
      for (size_t part = 0; part < state.size(); ++part) {
        state[part] = pin(b_.select(inside_[k], state[part], none[part]));
      }
      acc = k == 0 ? state : combine(fold, acc, state);
    }
    return acc;
  }

  FoldState fold_lanes(const Fold& fold, FoldState acc) {
    for (int64_t step = kRowColumns / 2; step > 0; step /= 2) {
      acc = combine(fold, acc, shuffle(fold, WarpOp::kShflDown, acc, step));
    }
    return acc;
  }
  FoldState from_first_lane(const Fold& fold, const FoldState& acc) { return shuffle(fold, WarpOp::kShflIdx, acc, 0); }

  FoldState shuffle(const Fold& fold, WarpOp op, const FoldState& state, int64_t lane) {
    const std::vector<DType> dtypes = state_dtypes(fold);
    FoldState out;
    for (size_t part = 0; part < state.size(); ++part) {
      const DType word = word_of(dtypes[part]);
      const LocalId result = b_.add_local("other", scalar(word));
      const ExprId value = word == dtypes[part] ? state[part] : b_.convert(word, state[part]);
      b_.warp(op, b_.constant(DType::u4, 0xffffffffU), value, b_.constant(DType::i4, lane), result);
      out.push_back(word == dtypes[part] ? b_.local(result) : pin(b_.convert(dtypes[part], b_.local(result))));
    }
    return out;
  }

  /// Each fold has its own array, so that no one waits for those who still read.
  FoldState fold_leaves(const Fold& fold, const FoldState& leaf) {
    const StateArray leaves = make_states("leaves", fold, kWarps, MemorySpace::kShared);
    b_.if_then(b_.compare(CompareOp::kEq, lane_, number(0)), [&] { store_state(leaves, warp_, leaf); });
    b_.barrier();
    std::vector<FoldState> states;
    for (int64_t k = 0; k < kWarps; ++k) states.push_back(load_state(leaves, number(k)));
    return combine_pairs(fold, std::move(states));
  }

  void store_row() override {
    ExprId first = b_.compare(CompareOp::kEq, lane_, number(0));
    if (form_.shape == Shape::block) {
      first = binary(BinaryOp::kAnd, first, b_.compare(CompareOp::kEq, warp_, number(0)));
    }
    b_.if_then(first, [&] { RowLowering::store_row(); });
  }

  ExprId lane_, warp_;
  std::vector<ElementPoint> points_;  ///< by row of the leaf
  std::vector<ExprId> inside_;        ///< likewise: there is such an element
};

}  // namespace

std::unique_ptr<RowLowering> make_warp_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form) {
  return std::make_unique<WarpRows>(lowerer, kernel, form);
}

}  // namespace jitc::kernel
