// A thread of a GPU has one result. Columns are visited in the order of their reversed bits, so that halving joins
// neighbours, and what waits for its right neighbour is a stack: the trailing ones of the number of columns so far are
// the subtrees that end here.
//
//     for leaf in range(0, count, 512):
//         for j in range(32):
//             acc = identity
//             for e in range(leaf + reversed(j), leaf_end, 32): acc = f(acc, element(e))
//             level = 0; while j has a one at `level`: acc = f(stack[level], acc)
//             stack[level] = acc
//         … the leaves join in the same way, further up on the stack
#include "src/kernel/side_rows.hpp"

namespace jitc::kernel {

// --- a leaf for each warp of a tile

ExprId SideRows::own_leaf() { return pin(mul(b_.thread(ThreadValue::kThreadIdx, 1), number(kRowLeaf))); }

void SideRows::walk_own_leaf(uint32_t s) {
  make_stack(s);
  clear(s);
  const ExprId leaf = own_leaf();
  b_.if_then(less(leaf, b_.local(count_)), [&] { fold_leaf(s, leaf); });
  const ExprId y = b_.thread(ThreadValue::kThreadIdx, 1), x = b_.thread(ThreadValue::kThreadIdx);
  std::vector<StateArray> shared;
  for_folds(s, [&](size_t f, const Fold& fold) {
    shared.push_back(make_states("leaves", fold, kRowBlock / kRowLeaf * kRowColumns, MemorySpace::kShared));
    const FoldState own = load_state(acc_[fold_id(s, f)], number(0));
    store_state(shared[f], add(mul(y, number(kRowColumns)), x), own);
  });
  b_.barrier();
  for_folds(s, [&](size_t f, const Fold& fold) {
    std::vector<FoldState> leaves;
    for (int64_t k = 0; k < kRowBlock / kRowLeaf; ++k) {
      leaves.push_back(load_state(shared[f], add(number(k * kRowColumns), x)));
    }
    store_state(acc_[fold_id(s, f)], number(0), combine_pairs(fold, std::move(leaves)));
  });
}

void SideRows::fold_leaf(uint32_t s, ExprId leaf) {
  const ExprId leaf_end = pin(min(add(leaf, number(kRowLeaf)), b_.local(count_)));
  const LocalId level = int_local("level", number(0)), visited = int_local("visited", number(0));
  count_loop("j", number(0), number(kRowColumns), 1, [&](ExprId j) {
    clear(s);
    fold_column(s, pin(add(leaf, reversed(j))), leaf_end);
    b_.assign(visited, j);
    push(s, visited, level, 0);
  });
}

/// A thread of a GPU has all loads of a full column on the way at once.
void SideRows::fold_column(uint32_t s, ExprId begin, ExprId leaf_end) {
  const auto one_by_one = [&] { count_loop("e", begin, leaf_end, kRowColumns, [&](ExprId e) { visit(s, e); }); };
  if (form_.inner_rank != 1 || stores_elements(s)) return one_by_one();
  b_.if_then_else(
      less(add(begin, number(kRowLeaf - kRowColumns)), leaf_end), [&] { visit_column(s, begin); }, one_by_one);
}

void SideRows::visit_column(uint32_t s, ExprId begin) {
  std::vector<ElementPoint> points;
  for (int64_t k = 0; k < kRowLeaf; k += kRowColumns) {
    points.emplace_back(*this, element_place({b_.local(first_), begin, number(k)}, {b_.local(first_lane_), own_lane_}));
    if (!reads_partials()) points.back().load_operands(s);
  }
  for (ElementPoint& point : points) {
    for_folds(s, [&](size_t f, const Fold& fold) {
      const StateArray& acc = acc_[fold_id(s, f)];
      const FoldState state = pin(point.state(s, f));
      store_state(acc, number(0), combine_states(b_, fold, load_state(acc, number(0)), state));
    });
  }
}

/// The 5 bits of a column's number from the other end.
ExprId SideRows::reversed(ExprId j) {
  const ExprId bits = b_.unary(UnaryOp::kReverseBits, b_.convert(DType::u4, j));
  return b_.convert(DType::i8, binary(BinaryOp::kShr, bits, b_.constant(DType::u4, 32 - kColumnLevels)));
}

}  // namespace jitc::kernel
