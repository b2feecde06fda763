// A thread does a row, or a block of its elements; the columns of a leaf are the lanes of its vectors.
//
//     for leaf in range(0, count, 512):
//         for c in range(32): acc[c] = identity
//         for k in range(leaf, leaf + 512, 32):
//             for c in range(32): acc[c] = f(acc[c], element(k + c))        # a vector loop
//         for s in 16, 8, 4, 2, 1:
//             for c in range(s): acc[c] = f(acc[c], acc[c + s])
//         leaves[leaf / 512] = acc[0]
//
// Rows that are known to be no longer than a leaf have acc[0] for a result, and no array of leaves.
// Values of elements that later stages need are kept in an array.
#include <algorithm>

#include "src/kernel/row_lowering.hpp"

namespace jitc::kernel {

namespace {

constexpr int64_t kLeaves = kRowBlock / kRowLeaf;

class AlongRows : public RowLowering {
 public:
  using RowLowering::RowLowering;

  void run() override {
    const ExprId job = pin(b_.thread(ThreadValue::kGlobalIdx));
    const ExprId per_row = writes_partials() ? blocks() : number(1);
    b_.if_then(less(job, mul(count_outer(), per_row)), [&] {
      const ExprId row = writes_partials() ? pin(quotient(job, per_row)) : job;
      const ExprId block = writes_partials() ? pin(sub(job, mul(row, per_row))) : number(0);
      find_block(block);
      find_row(row, form_.outer_rank, block);
      run_stages();
    });
  }

 private:
  void walk(uint32_t s) override {
    if (stage(s).folds.empty()) {
      return lane_loop("e", b_.local(count_), [&](ExprId e) { visit(s, {e}, {}); });
    }
    columns_.clear();
    leaves_.clear();
    for (const Fold& fold : stage(s).folds) {
      columns_.push_back(make_states("columns", fold, kRowColumns, MemorySpace::kLocal));
    }
    if (is_one_leaf()) {
      fold_leaf(s, number(0));
      return for_folds(s, [&](size_t f, const Fold&) { set_fold(s, f, load_state(columns_[f], number(0))); });
    }
    for (const Fold& fold : stage(s).folds) {
      leaves_.push_back(make_states("leaves", fold, kLeaves, MemorySpace::kLocal));
    }
    count_loop("leaf", number(0), b_.local(count_), kRowLeaf, [&](ExprId leaf) { fold_leaf(s, leaf); });
    count_loop("absent", leaves(), number(kLeaves), 1, [&](ExprId leaf) {
      for_folds(s, [&](size_t f, const Fold& fold) { store_state(leaves_[f], leaf, identity_state(b_, fold)); });
    });
    for_folds(s, [&](size_t f, const Fold& fold) {
      std::vector<FoldState> states;
      for (int64_t leaf = 0; leaf < kLeaves; ++leaf) states.push_back(load_state(leaves_[f], number(leaf)));
      set_fold(s, f, combine_pairs(fold, std::move(states)));
    });
  }

  template <class Body>
  void for_folds(uint32_t s, const Body& body) {
    for (size_t f = 0; f < stage(s).folds.size(); ++f) body(f, stage(s).folds[f]);
  }
  bool is_one_leaf() const { return form_.count == 1; }
  ExprId leaves() { return quotient(add(b_.local(count_), number(kRowLeaf - 1)), number(kRowLeaf)); }

  void fold_leaf(uint32_t s, ExprId leaf) {
    const ExprId all = number(kRowColumns);
    lane_loop("c", all, [&](ExprId c) {
      for_folds(s, [&](size_t f, const Fold& fold) { store_state(columns_[f], c, identity_state(b_, fold)); });
    });
    const ExprId leaf_end = pin(min(add(leaf, number(kRowLeaf)), b_.local(count_)));
    const ExprId rest = pin(binary(BinaryOp::kAnd, sub(leaf_end, leaf), number(kRowColumns - 1)));
    const ExprId full_end = pin(sub(leaf_end, rest));
    count_loop("k", leaf, full_end, kRowColumns, [&](ExprId k) {
      lane_loop("c", all, [&](ExprId c) { visit(s, {k, c}, c); });
    });
    lane_loop("c", rest, [&](ExprId c) { visit(s, {full_end, c}, c); });
    for (int64_t step = kRowColumns / 2; step > 0; step /= 2) halve(s, step);
    if (is_one_leaf()) return;
    const ExprId number_of_leaf = pin(quotient(leaf, number(kRowLeaf)));
    for_folds(
        s, [&](size_t f, const Fold&) { store_state(leaves_[f], number_of_leaf, load_state(columns_[f], number(0))); });
  }

  void halve(uint32_t s, int64_t step) {
    lane_loop("c", number(step), [&](ExprId c) {
      for_folds(s, [&](size_t f, const Fold& fold) {
        const FoldState left = load_state(columns_[f], c), right = load_state(columns_[f], add(c, number(step)));
        store_state(columns_[f], c, combine_states(b_, fold, left, right));
      });
    });
  }

  /// `element`: the terms of its number in the block.
  void visit(uint32_t s, const std::vector<ExprId>& element, ExprId column) {
    std::vector<ExprId> terms = {b_.local(first_)};
    terms.insert(terms.end(), element.begin(), element.end());
    ElementPoint point(*this, element_place(std::move(terms)));
    ExprId index = element[0];
    for (size_t k = 1; k < element.size(); ++k) index = add(index, element[k]);
    if (!reads_partials()) load_kept(s, point, index);
    for_folds(s, [&](size_t f, const Fold& fold) {
      const FoldState state = pin(point.state(s, f));
      store_state(columns_[f], column, combine_states(b_, fold, load_state(columns_[f], column), state));
    });
    if (!reads_partials()) keep(s, point, index);
    if (stores_elements(s)) store_elements(point);
  }

  // --- values of elements that are kept

  bool is_used_after(uint32_t s, uint32_t id) const {
    for (uint32_t later = s + 1; later < kernel_.stages.size(); ++later) {
      if (uses(later, id)) return true;
    }
    return false;
  }
  bool uses(uint32_t s, uint32_t id) const {
    if (std::ranges::count(stage(s).element_args, id) != 0) return true;
    return stores_elements(s) &&
           std::ranges::any_of(kernel_.outputs, [&](const RowOutput& output) { return output.value == id; });
  }
  MemRef kept_at(uint32_t object, uint32_t id, ExprId index) {
    return {b_.memory_base(object), {{index, number(static_cast<int64_t>(size_bytes(dtype_of(id))))}}};
  }

  void keep(uint32_t s, ElementPoint& point, ExprId index) {
    for (uint32_t id = 0; id < value_count(); ++id) {
      if (source(id).kind != Kind::element || source(id).stage != s || !is_used_after(s, id)) continue;
      const auto [found, is_new] = kept_.try_emplace(id, 0);
      if (is_new) found->second = add_memory("kept", dtype_of(id), kRowBlock, MemorySpace::kLocal);
      store(kept_at(found->second, id, index), point.value(id));
    }
  }

  void load_kept(uint32_t s, ElementPoint& point, ExprId index) {
    for (const auto& [id, object] : kept_) {
      if (source(id).stage < s && uses(s, id)) { point.set(id, pin(load(kept_at(object, id, index), dtype_of(id)))); }
    }
  }

  std::vector<StateArray> columns_, leaves_;  ///< by fold of the stage
  std::map<uint32_t, uint32_t> kept_;         ///< memory, by number of the value
};

}  // namespace

std::unique_ptr<RowLowering> make_along_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form) {
  return std::make_unique<AlongRows>(lowerer, kernel, form);
}

}  // namespace jitc::kernel
