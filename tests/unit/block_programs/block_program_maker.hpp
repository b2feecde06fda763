// How random programs stay deterministic.
//
// Flow: which threads are together. At Flow::kGrid all threads of the grid that have not ended are, at kBlock those of
// the block, at kWarp those of the warp, at kThread no others, but those of `mask_` where it is known. A condition that
// is equal in all of them keeps the flow, any other one lowers it; barriers stand where all that they wait for are
// together.
//
// Arrays: between two barriers an array is read by all (kRead), or each thread reads and writes a slot of its own
// (kOwn), or all apply one commutative atomic operation to it, whose result is not used (kAtomic).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/kernel/builder.hpp"
#include "tests/unit/block_programs/chance.hpp"
#include "tests/unit/block_programs/random_block_programs.hpp"

namespace jitc::blocks {

enum class Flow : uint8_t { kGrid, kBlock, kWarp, kThread };

struct ArrayState {
  enum class Kind : uint8_t { kClean, kRead, kOwn, kAtomic, kBlocked };
  Kind kind = Kind::kClean;
  size_t slots = 0;                              ///< kOwn: which way threads are given slots
  kernel::AtomicOp op = kernel::AtomicOp::kAdd;  ///< kAtomic

  bool operator==(const ArrayState&) const = default;
};

/// An array with one element for each thread of the block (the array of the launch: of the grid).
struct ThreadArray {
  kernel::ExprId base;
  DType dtype = DType::i8;
  bool of_grid = false;
};
using ArrayStates = std::vector<ArrayState>;

class BlockProgramMaker {
 public:
  BlockProgramMaker(uint64_t seed, Defined defined);
  BlockProgram make();

 private:
  using ExprId = kernel::ExprId;
  using LocalId = kernel::LocalId;
  using Fill = std::function<void()>;

  /// A Scope or Loop that encloses the current statement.
  struct OpenLabel {
    kernel::LabelId label;
    Flow flow;
    bool is_loop;
  };

  // the frame: block_program_maker.cpp
  void choose_launch();
  void declare();
  void start_threads();
  void end_threads();
  void stmts(int count);
  void stmt();

  // expressions: make_exprs.cpp
  ExprId number(int64_t value) { return b_.constant(DType::i8, value); }
  ExprId op(kernel::BinaryOp op, ExprId lhs, ExprId rhs) { return b_.binary(op, lhs, rhs); }
  ExprId add(ExprId lhs, ExprId rhs) { return op(kernel::BinaryOp::kAdd, lhs, rhs); }
  ExprId tid() { return b_.local(tid_); }
  ExprId global_tid() { return b_.local(global_tid_); }
  /// Any i8.
  ExprId value(int depth);
  ExprId leaf();
  ExprId value_of(DType dtype);
  ExprId condition();
  /// An i8 that is equal in all threads that are together at `flow`, often in ways that are not obvious.
  ExprId uniform(Flow flow, int depth);
  ExprId uniform_leaf(Flow flow);
  ExprId uniform_condition(Flow flow);
  /// A small i8 that is not negative.
  ExprId below(ExprId value, int64_t count) { return op(kernel::BinaryOp::kMod, value, number(count)); }

  // arrays: make_accesses.cpp
  bool is_readable(size_t array) const;
  /// The slot of this thread, in the way that the array is being used, or in a new one; invalid where that is no use.
  ExprId own_slot(size_t array);
  ExprId slot_of(size_t slots, ExprId thread, bool of_grid);
  kernel::MemRef element(size_t array, ExprId index);
  /// An element of any thread, as i8; invalid where no array can be read.
  ExprId any_element(ExprId index, bool of_grid_only);
  void store_own();
  void atomic_own();
  void atomic_shared();
  void atomic_global();
  void store_out();
  void store_local_array();
  void assign_local();
  void after_barrier(bool of_grid);
  void block_all();
  static ArrayState merge(const ArrayState& a, const ArrayState& b);

  // threads that meet: make_meetings.cpp
  void barrier();
  void block_reduction();
  void grid_barrier();
  void tree_reduction();
  void warp_op();
  bool is_defined(kernel::WarpOp op) const;
  void warp_exchange();
  void assign_uniform();
  ExprId mask();
  std::optional<uint32_t> barrier_site();

  // control flow: make_control_flow.cpp
  void uniform_if();
  void for_each_together(Flow flow, const std::function<void(size_t)>& visit);
  void uniform_loop();
  void uniform_scope();
  void thread_if();
  void thread_loop();
  void masked_loop();
  void thread_scope();
  void leave();
  void early_return();
  void at(Flow flow, const Fill& fill);
  void inside_label(OpenLabel label, const Fill& fill);
  void count_loop(kernel::LabelId label, LocalId counter, ExprId bound, const Fill& head, const Fill& body);
  LocalId fresh(const char* name, DType dtype) { return b_.add_local(name, kernel::scalar(dtype)); }

  kernel::Builder b_;
  Chance chance_;
  BlockProgram made_;
  int64_t threads_ = 1, blocks_ = 1;
  Defined defined_;
  bool uses_grid_ = false, is_checked_ = false, may_return_ = false;
  bool can_lack_lanes_ = false;  ///< a warp may have fewer than 32 threads, from the start or later
  int budget_ = 0, depth_ = 0;

  std::vector<ThreadArray> arrays_;
  ArrayStates states_;
  std::vector<std::array<int64_t, 2>> slot_ways_;  ///< a, b: thread t has slot (a * t + b) % threads
  uint32_t out_ = 0, in_ = 0, wide_ = 0, narrow_ = 0, scalar_ = 0;
  ExprId local_array_, const_array_;
  LocalId tid_, global_tid_;
  std::vector<LocalId> values_;   ///< of several types
  std::vector<LocalId> uniform_;  ///< i8, equal in the block
  LocalId grid_uniform_;          ///< i8, equal in the grid

  Flow flow_ = Flow::kBlock;
  std::vector<OpenLabel> open_;
  bool mask_known_ = true;
  LocalId mask_;             ///< invalid: all lanes
  bool lost_lanes_ = false;  ///< some have left for the end of the innermost label
};

}  // namespace jitc::blocks
