// A thread of a host has 16 to 2048 neighbouring results. It goes over the elements as they lie in memory, where the
// processor fetches ahead, and has all 32 columns of a leaf at once:
//
//     for leaf in range(0, count, 512):
//         for e in range(leaf, leaf + 32):      for w: columns[e % 32][w] = element(e, w)      # vector loops
//         for e in range(leaf + 32, leaf_end):  for w: columns[e % 32][w] = f(columns[e % 32][w], element(e, w))
//         for s in 16, 8, 4, 2, 1:
//             for c in range(s): for w: columns[c][w] = f(columns[c][w], columns[c + s][w])
//         acc = columns[0]
//         … the leaves join on a stack
//
// What is computed of an element may be so little that the columns, which lie in memory too, cost as much as reading
// the elements. Then it takes several elements of a column at once, from as many stretches of memory:
//
//     for e in leaf … leaf + 31, leaf + 256 … leaf + 287:
//         for w: columns[e % 32][w] = f(… f(f(columns[e % 32][w], element(e, w)), element(e + 32, w)) …)   # 8 times
#pragma once

#include "src/kernel/side_rows.hpp"

namespace jitc::kernel {

/// Elements of a column that are taken at once, from a stretch of memory each. Measured on 131072 × 256 to 8192 × 4096
/// f4: 4 to 16 read 1.5 times as fast as 1.
inline constexpr int64_t kTogether = 8;
inline constexpr int64_t kGroupElems = kTogether * kRowColumns;
static_assert(kRowLeaf % kGroupElems == 0);

/// A few operations, no function: reading costs more than computing.
bool is_light(const sema::TypedFunction& function);

class HostSideRows : public SideRows {
 public:
  using SideRows::SideRows;

 protected:
  void fold_leaf(uint32_t s, ExprId leaf) override {
    make_columns(s);
    if (takes_groups(s)) {
      b_.if_then_else(
          less(add(leaf, number(kRowLeaf - 1)), b_.local(count_)), [&] { fold_groups(s, leaf); },
          [&] { fold_elements(s, leaf); });
    } else {
      fold_elements(s, leaf);
    }
    for (int64_t step = kRowColumns / 2; step > 0; step /= 2) {
      count_loop("c", number(0), number(step), 1, [&](ExprId column) { halve(s, column, step); });
    }
    lanes([&](ExprId w, const auto&) {
      for_folds(s, [&](size_t f, const Fold&) {
        store_state(acc_[fold_id(s, f)], w, load_state(columns_[fold_id(s, f)], w));
      });
    });
  }

  bool takes_groups(uint32_t s) {
    return !stores_elements(s) && !reads_partials() && stage(s).element && is_light(*stage(s).element);
  }

  /// A leaf that has all of its elements.
  void fold_groups(uint32_t s, ExprId leaf) {
    clear_columns(s, number(0));
    count_loop("group", leaf, add(leaf, number(kRowLeaf)), kGroupElems, [&](ExprId group) {
      count_loop("c", number(0), number(kRowColumns), 1, [&](ExprId column) {
        std::vector<RowPlace> places;
        for (int64_t k = 0; k < kTogether; ++k) {
          places.push_back(element_place({b_.local(first_), group, column, number(k * kRowColumns)}));
        }
        lanes([&](ExprId w, const std::vector<ExprId>& lane) { fold_together(s, places, lane, at(column, w)); });
      });
    });
  }

  void fold_together(uint32_t s, const std::vector<RowPlace>& places, const std::vector<ExprId>& lane, ExprId into) {
    std::vector<ElementPoint> points;
    for (const RowPlace& place : places) {
      points.emplace_back(*this, RowPlace{place.element, place.indices, lane, {}});
      points.back().load_operands(s);
    }
    for_folds(s, [&](size_t f, const Fold& fold) {
      FoldState state = load_state(columns_[fold_id(s, f)], into);
      for (ElementPoint& point : points) state = combine(fold, state, pin(point.state(s, f)));
      store_state(columns_[fold_id(s, f)], into, state);
    });
  }

  void fold_elements(uint32_t s, ExprId leaf) {
    const ExprId leaf_end = pin(min(add(leaf, number(kRowLeaf)), b_.local(count_)));
    const ExprId first_end = pin(min(add(leaf, number(kRowColumns)), leaf_end));
    count_loop("e", leaf, first_end, 1, [&](ExprId e) {
      const ExprId column = pin(sub(e, leaf));
      visit(s, e, [&](size_t f, const Fold&, ExprId w, const FoldState& state) {
        store_state(columns_[fold_id(s, f)], at(column, w), state);
      });
    });
    clear_columns(s, sub(first_end, leaf));
    count_loop("e", first_end, leaf_end, 1, [&](ExprId e) {
      const ExprId column = pin(binary(BinaryOp::kAnd, sub(e, leaf), number(kRowColumns - 1)));
      visit(s, e, [&](size_t f, const Fold& fold, ExprId w, const FoldState& state) {
        combine_into(columns_[fold_id(s, f)], fold, at(column, w), state);
      });
    });
  }

  void clear_columns(uint32_t s, ExprId first) {
    count_loop("absent", first, number(kRowColumns), 1, [&](ExprId column) {
      lanes([&](ExprId w, const auto&) {
        for_folds(s, [&](size_t f, const Fold& fold) {
          store_state(columns_[fold_id(s, f)], at(column, w), identity_state(b_, fold));
        });
      });
    });
  }

  /// In memory of the thread's that is no part of its stack.
  void make_columns(uint32_t s) {
    for_folds(s, [&](size_t f, const Fold& fold) {
      if (columns_.count(fold_id(s, f)) != 0) return;
      columns_[fold_id(s, f)] =
          make_states("columns", fold, kRowColumns * static_cast<uint64_t>(form_.count), MemorySpace::kShared);
    });
  }
  ExprId at(ExprId column, ExprId w) { return add(mul(column, number(form_.count)), w); }

  void combine_into(const StateArray& array, const Fold& fold, ExprId index, const FoldState& right) {
    store_state(array, index, combine_states(b_, fold, load_state(array, index), right));
  }

  void halve(uint32_t s, ExprId column, int64_t step) {
    lanes([&](ExprId w, const auto&) {
      for_folds(s, [&](size_t f, const Fold& fold) {
        const StateArray& columns = columns_[fold_id(s, f)];
        combine_into(columns, fold, at(column, w), load_state(columns, at(add(column, number(step)), w)));
      });
    });
  }

  std::map<uint32_t, StateArray> columns_;  ///< by number of the fold's value
};

}  // namespace jitc::kernel
