// Rows whose results are neighbours. Private to src/kernel: rows_side.cpp has what a GPU does with a leaf,
// host_side_rows.hpp what a host does.
#pragma once

#include "src/kernel/row_lowering.hpp"

namespace jitc::kernel {

inline constexpr int64_t kColumnLevels = 5;               ///< of halving: 32 columns
inline constexpr int64_t kLeafLevel = kColumnLevels + 1;  ///< where the leaves' part of the stack begins
inline constexpr int64_t kLevels = kLeafLevel + 4;        ///< 8 leaves

/// A thread has `count` neighbouring results at once, the lanes of its vectors; or one, and the threads are neighbours.
/// What waits for its right neighbour is a stack: the trailing ones of the number of leaves so far are the subtrees
/// that end here. Values of elements that a later stage needs are computed again.
class SideRows : public RowLowering {
 public:
  using RowLowering::RowLowering;

  void run() override {
    const uint32_t inner = form_.outer_rank - 1U;
    const ExprId line = is_tile() ? tile_line() : line_number();
    ExprId rows = number(1);
    for (uint32_t axis = 0; axis < inner; ++axis) rows = axis == 0 ? extent(axis) : mul(rows, extent(axis));
    rows = pin(rows);
    const ExprId begin = mul(b_.thread(ThreadValue::kBlockIdx), b_.thread(ThreadValue::kBlockDim));
    const ExprId x = b_.thread(ThreadValue::kThreadIdx);
    first_lane_ = int_local("begin", form_.count == 1 ? begin : mul(add(begin, x), number(form_.count)));
    const ExprId rest = pin(sub(extent(inner), b_.local(first_lane_)));
    const ExprId lines = writes_partials() ? mul(rows, blocks()) : rows;
    const ExprId has_lane = less(form_.count == 1 && !is_tile() ? x : number(0), rest);
    if (is_tile()) {
      b_.program().max_threads_per_block = kRowBlock / kRowLeaf * kRowColumns;
      has_result_ = pin(less(x, rest));
      own_lane_ = pin(min(x, sub(rest, number(1))));
    } else {
      own_lane_ = x;
    }
    b_.if_then(binary(BinaryOp::kAnd, less(line, lines), has_lane), [&] {
      const ExprId block = writes_partials() ? pin(quotient(line, rows)) : number(0);
      find_block(block);
      find_row(writes_partials() ? sub(line, mul(block, rows)) : line, inner, block);
      run_lanes(rest, [&] { run_stages(); });
    });
  }

 protected:
  bool is_tile() const { return form_.shape == Shape::tile; }
  /// Its block of threads has one, so that all of them meet.
  ExprId tile_line() {
    const ExprId z = mul(b_.thread(ThreadValue::kBlockIdx, 2), b_.thread(ThreadValue::kGridDim, 1));
    return pin(add(z, b_.thread(ThreadValue::kBlockIdx, 1)));
  }

  /// All but the last group of results have all lanes, and loops of a known length.
  template <class Body>
  void run_lanes(ExprId rest, const Body& body) {
    width_ = number(form_.count);
    if (form_.count == 1) return body();
    b_.if_then_else(
        less(rest, width_),
        [&] {
          width_ = rest;
          body();
        },
        [&] {
          width_ = number(form_.count);
          body();
        });
  }

  /// For each result of the thread: `body(its number, lane terms)`.
  template <class Body>
  void lanes(const Body& body) {
    if (form_.count == 1) { return body(number(0), std::vector<ExprId>{b_.local(first_lane_), own_lane_}); }
    lane_loop("w", width_, [&](ExprId w) { body(w, std::vector<ExprId>{b_.local(first_lane_), w}); });
  }

  void walk(uint32_t s) override {
    if (stage(s).folds.empty()) {
      const ExprId begin = is_tile() ? own_leaf() : number(0);
      const ExprId end = is_tile() ? pin(min(add(begin, number(kRowLeaf)), b_.local(count_))) : b_.local(count_);
      return count_loop("e", begin, end, 1, [&](ExprId e) { visit(s, e); });
    }
    make_accumulators(s);
    if (is_tile()) return walk_own_leaf(s);
    make_stack(s);
    const LocalId level = int_local("level", number(kLeafLevel)), leaves = int_local("leaves", number(0));
    clear(s);
    count_loop("leaf", number(0), b_.local(count_), kRowLeaf, [&](ExprId leaf) {
      fold_leaf(s, leaf);
      push(s, leaves, level, kLeafLevel);
      increase(leaves, number(1));
    });
    join_rest(s, leaves, level);
  }

  void make_accumulators(uint32_t s) {
    for_folds(s, [&](size_t f, const Fold& fold) {
      if (acc_.count(fold_id(s, f)) != 0) return;
      acc_[fold_id(s, f)] = make_states("acc", fold, form_.count, MemorySpace::kLocal);
    });
  }
  void make_stack(uint32_t s) {
    for_folds(s, [&](size_t f, const Fold& fold) {
      if (stack_.count(fold_id(s, f)) != 0) return;
      stack_[fold_id(s, f)] =
          make_states("stack", fold, kLevels * static_cast<uint64_t>(form_.count), MemorySpace::kLocal);
    });
  }

  // --- rows_side.cpp: a thread has one result, or a leaf of it
  ExprId own_leaf();
  void walk_own_leaf(uint32_t s);
  virtual void fold_leaf(uint32_t s, ExprId leaf);
  void fold_column(uint32_t s, ExprId begin, ExprId leaf_end);
  void visit_column(uint32_t s, ExprId begin);
  ExprId reversed(ExprId j);

  /// Runs `body` where what it stores is this thread's.
  template <class Body>
  void if_stores(const ExprId& also, const Body& body) {
    if (!is_tile()) return body();
    b_.if_then(also.valid() ? binary(BinaryOp::kAnd, has_result_, also) : has_result_, body);
  }

  void clear(uint32_t s) {
    lanes([&](ExprId w, const auto&) {
      for_folds(s, [&](size_t f, const Fold& fold) { store_state(acc_[fold_id(s, f)], w, identity_state(b_, fold)); });
    });
  }

  void visit(uint32_t s, ExprId e) {
    visit(s, e, [&](size_t f, const Fold& fold, ExprId w, const FoldState& state) {
      const StateArray& acc = acc_[fold_id(s, f)];
      store_state(acc, w, combine_states(b_, fold, load_state(acc, w), state));
    });
  }
  /// `take(fold's index, fold, w, state)` for the element's state in each fold of the stage.
  template <class Take>
  void visit(uint32_t s, ExprId e, const Take& take) {
    const RowPlace at = element_place({b_.local(first_), e});
    lanes([&](ExprId w, const std::vector<ExprId>& lane) {
      RowPlace place = at;
      place.lane = lane;
      ElementPoint point(*this, std::move(place));
      for_folds(s, [&](size_t f, const Fold& fold) { take(f, fold, w, pin(point.state(s, f))); });
      if (stores_elements(s)) {
        compute_outputs(point);
        if_stores({}, [&] { store_elements(point); });
      }
    });
  }

  void compute_outputs(ElementPoint& point) {
    for (size_t k = 0; k < kernel_.outputs.size(); ++k) {
      if (is_element_output(k)) point.value(kernel_.outputs[k].value);
    }
  }

  ExprId on_stack(ExprId level, ExprId w) { return add(mul(level, number(form_.count)), w); }

  /// acc = f(stack[level], acc)
  void join(uint32_t s, ExprId level) {
    lanes([&](ExprId w, const auto&) {
      for_folds(s, [&](size_t f, const Fold& fold) {
        const uint32_t id = fold_id(s, f);
        const FoldState left = load_state(stack_[id], on_stack(level, w));
        store_state(acc_[id], w, combine_states(b_, fold, left, load_state(acc_[id], w)));
      });
    });
  }

  /// Joins acc with the subtrees that it completes, and puts it where it waits: `level` says where, `number_of` how
  /// many came before.
  void push(uint32_t s, LocalId number_of, LocalId level, int64_t lowest) {
    const LocalId bits = int_local("bits", b_.local(number_of));
    b_.assign(level, number(lowest));
    b_.loop(
        b_.add_label("carry"), [&] { return b_.convert(DType::b1, binary(BinaryOp::kAnd, b_.local(bits), number(1))); },
        [&] { join(s, b_.local(level)); },
        [&] {
          b_.assign(bits, binary(BinaryOp::kShr, b_.local(bits), number(1)));
          increase(level, number(1));
        });
    lanes([&](ExprId w, const auto&) {
      for_folds(s, [&](size_t f, const Fold&) {
        const uint32_t id = fold_id(s, f);
        store_state(stack_[id], on_stack(b_.local(level), w), load_state(acc_[id], w));
      });
    });
  }

  /// acc is the subtree of the last leaves; what waits above it joins it.
  void join_rest(uint32_t s, LocalId leaves, LocalId level) {
    const ExprId above = sub(b_.local(level), number(kLeafLevel - 1));
    const LocalId bits = int_local("bits", binary(BinaryOp::kShr, b_.local(leaves), above));
    increase(level, number(1));
    b_.loop(
        b_.add_label("rest"), [&] { return b_.compare(CompareOp::kNe, b_.local(bits), number(0)); },
        [&] {
          b_.if_then(b_.convert(DType::b1, binary(BinaryOp::kAnd, b_.local(bits), number(1))),
                     [&] { join(s, b_.local(level)); });
        },
        [&] {
          b_.assign(bits, binary(BinaryOp::kShr, b_.local(bits), number(1)));
          increase(level, number(1));
        });
  }

  template <class Body>
  void for_folds(uint32_t s, const Body& body) {
    for (size_t f = 0; f < stage(s).folds.size(); ++f) body(f, stage(s).folds[f]);
  }

  // --- values of the rows

  ExprId lane_number(const RowPlace& place) { return form_.count == 1 ? number(0) : place.lane.back(); }

  Value row_value(uint32_t id, const RowPlace& place) override {
    const RowSource& from = source(id);
    if (from.kind == Kind::operand) return operand_of_row(from.stage, place);
    const ExprId w = lane_number(place);
    if (from.kind == Kind::fold) {
      const Fold& fold = stage(from.stage).folds[from.item];
      return finished(fold, fold_result(fold, load_state(acc_[id], w)));
    }
    return load(row_at(id, w), dtype_of(id));
  }
  MemRef row_at(uint32_t id, ExprId w) {
    return {b_.memory_base(rows_[id]), {{w, number(static_cast<int64_t>(size_bytes(dtype_of(id))))}}};
  }

  void finish_row(uint32_t s) override {
    const std::vector<DType> dtypes = row_dtypes(s);
    for (size_t item = 0; item < dtypes.size(); ++item) {
      const auto [found, is_new] = rows_.try_emplace(row_id(s, item), 0);
      if (is_new) found->second = add_memory("rows", dtypes[item], form_.count, MemorySpace::kLocal);
    }
    lanes([&](ExprId w, const std::vector<ExprId>& lane) {
      std::vector<Value> values = call_row(s, {{}, {}, lane});
      for (Value& value : values) value = pin(value);
      for (size_t item = 0; item < values.size(); ++item) store(row_at(row_id(s, item), w), values[item]);
    });
  }

  void store_row() override {
    const ExprId first = b_.compare(CompareOp::kEq, b_.thread(ThreadValue::kThreadIdx, 1), number(0));
    if_stores(first, [&] {
      lanes([&](ExprId w, const std::vector<ExprId>& lane) { store_result(w, {{}, {}, lane}); });
    });
  }

  void store_result(ExprId w, const RowPlace& place) {
    if (writes_partials()) {
      for (const auto& [id, acc] : acc_) store_partial(source(id).item, load_state(acc, w), place);
      return;
    }
    for (size_t k = 0; k < kernel_.outputs.size(); ++k) {
      if (!is_element_output(k)) store_output(k, row_value(kernel_.outputs[k].value, place), place);
    }
  }

  ExprId own_lane_;    ///< of a thread with one result: along x; in a tile another one's where it has none
  ExprId has_result_;  ///< of a tile
  ExprId width_;       ///< results of the thread
  std::map<uint32_t, StateArray> acc_, stack_;  ///< by number of the fold's value
  std::map<uint32_t, uint32_t> rows_;           ///< memory, by number of a value of the rows
};

}  // namespace jitc::kernel
