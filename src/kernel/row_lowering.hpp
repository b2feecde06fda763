// What all shapes of kernels over rows have in common: arguments, addresses, the values of an element and of a row, and
// the order of the stages. Private to src/kernel; each shape is a class of its own file, rows_*.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/kernel/fold_ops.hpp"
#include "src/kernel/lower.hpp"
#include "src/kernel/lowerer.hpp"
#include "src/kernel/row_values.hpp"

namespace jitc::kernel {

/// Where an element is, beside the row. Sums are kept as their terms, so that the one which changes from lane to lane
/// stays apart.
struct RowPlace {
  std::vector<ExprId> element;  ///< its number in the row; none: of a value of the row
  std::vector<ExprId> indices;  ///< of it along the inner axes, where there are several
  std::vector<ExprId> lane;     ///< number of the result along the innermost outer axis, where lanes go there
  ExprId inside;                ///< valid: memory is read where this holds, and else the value is 0
};

/// An array argument, or the index among the operands.
struct RowArray {
  uint32_t argument = 0;  ///< that has the strides
  DType dtype = DType::f8;
  Walk walk = Walk::same;
  bool is_index = false;
  bool of_row = false;          ///< has no inner axes, or stands still along them
  ExprId data;                  ///< pointer, or value at the first element
  LocalId row;                  ///< bytes, or steps, from there to the row
  std::vector<ExprId> strides;  ///< made where first used
};

/// Accumulators, or what is left of them: `count` states of one fold in memory of the kernel.
struct StateArray {
  std::vector<uint32_t> objects;  ///< by part of the state
};

class ElementPoint;

class RowLowering {
 public:
  RowLowering(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form);
  virtual ~RowLowering() = default;
  RowLowering(const RowLowering&) = delete;
  RowLowering& operator=(const RowLowering&) = delete;

  virtual void run() = 0;

 protected:
  friend class ElementPoint;
  using Kind = RowSource::Kind;
  using Phase = RowsForm::Phase;
  using Shape = RowsForm::Shape;

  // --- stages
  /// Walks over the elements for the folds of a stage, and stores the outputs of elements if it is the last walk.
  virtual void walk(uint32_t stage) = 0;
  /// The stages in order, and what they leave; the row is found.
  void run_stages();
  bool reads_partials() const { return form_.phase == Phase::middle || form_.phase == Phase::last; }
  bool writes_partials() const { return form_.phase == Phase::first || form_.phase == Phase::middle; }
  const RowStage& stage(uint32_t index) const { return kernel_.stages[index]; }
  bool stores_elements(uint32_t index) const { return index == last_walk_; }
  /// The outputs of an element whose values are there.
  void store_elements(ElementPoint& point);

  // --- values of a row; a shape that has several rows at once keeps them otherwise
  virtual Value row_value(uint32_t id, const RowPlace& place);
  virtual void finish_row(uint32_t stage);
  /// A scalar, or the one element of a row.
  Value operand_of_row(uint32_t operand, const RowPlace& place) {
    const bool is_scalar = kernel_.operands[operand].kind == KernelOperand::Kind::scalar;
    return is_scalar ? row_values_[operand] : read(operands_[operand], place);
  }
  virtual void store_row();
  void set_row_value(uint32_t id, const Value& value) { row_values_[id] = l_.pin(value); }
  /// Its state after all elements of the row were folded. For shapes with one row at a time.
  void set_fold(uint32_t stage, size_t fold, const FoldState& state);
  Value finished(const Fold& fold, Value value);
  uint32_t fold_id(uint32_t stage, size_t fold) const { return first_fold_[stage] + static_cast<uint32_t>(fold); }
  uint32_t row_id(uint32_t stage, size_t item) const {
    return first_fold_[stage] + static_cast<uint32_t>(kernel_.stages[stage].folds.size() + item);
  }
  std::vector<Value> call_row(uint32_t stage, const RowPlace& place);
  std::vector<DType> row_dtypes(uint32_t stage) const { return result_dtypes(l_.types_, *kernel_.stages[stage].row); }
  DType dtype_of(uint32_t id) const { return row_value_dtype(kernel_, l_.types_, sources_[id]); }
  uint32_t value_count() const { return static_cast<uint32_t>(sources_.size()); }
  const RowSource& source(uint32_t id) const { return sources_[id]; }
  void store_partial(size_t fold, const FoldState& state, const RowPlace& place);
  void store_output(size_t output, const Value& value, const RowPlace& place);
  bool is_element_output(size_t output) const {
    return is_of_element(kernel_, sources_[kernel_.outputs[output].value]);
  }
  bool operand_is_of_row(uint32_t operand) const {
    const KernelOperand& found = kernel_.operands[operand];
    return found.kind == KernelOperand::Kind::scalar || found.per_row;
  }

  // --- places
  ExprId extent(uint32_t axis);
  /// Elements of a row, and rows.
  ExprId count_inner() { return count_inner_; }
  ExprId count_outer() { return count_outer_; }
  /// Blocks of elements of a row.
  ExprId blocks();
  /// Lanes are results: number of the thread among those that differ in y and z alone.
  ExprId line_number();
  /// Sets where the row lies; `row` counts the first `axes` of the outer axes in C order.
  void find_row(ExprId row, uint32_t axes, ExprId block);
  /// Sets first_ and count_: the elements of a block.
  void find_block(ExprId block);
  RowPlace element_place(std::vector<ExprId> terms, const std::vector<ExprId>& lane = {});
  MemRef ref(RowArray& array, const RowPlace& place);
  Value read(RowArray& array, const RowPlace& place);
  /// Of an operand that has elements.
  virtual Value read_element(uint32_t operand, const RowPlace& place) { return read(operands_[operand], place); }
  const RowArray& operand_array(uint32_t operand) const { return operands_[operand]; }
  Value read_inside(const MemRef& at, DType dtype, ExprId inside);
  bool has_side_lanes() const {
    return form_.shape == Shape::side || form_.shape == Shape::tile || form_.shape == Shape::packed;
  }
  bool lanes_are_results() const { return has_side_lanes() || form_.shape == Shape::unrolled; }

  // --- states
  StateArray make_states(const std::string& name, const Fold& fold, uint64_t count, MemorySpace space);
  FoldState load_state(const StateArray& array, ExprId index);
  void store_state(const StateArray& array, ExprId index, const FoldState& state);
  FoldState pin(FoldState state) {
    for (ExprId& part : state) part = l_.pin(part);
    return state;
  }
  ExprId pin(ExprId id) { return l_.pin(id); }
  Value pin(const Value& value) { return l_.pin(value); }
  Value load(MemRef at, DType dtype) { return l_.load(std::move(at), dtype); }
  void store(MemRef at, const Value& value) { l_.store(std::move(at), value); }
  FoldState combine(const Fold& fold, const FoldState& lhs, const FoldState& rhs) {
    return pin(combine_states(b_, fold, lhs, rhs));
  }
  /// Neighbours as pairs, pairs of those, …: as many states as a power of two says.
  FoldState combine_pairs(const Fold& fold, std::vector<FoldState> states);
  uint32_t add_memory(const std::string& name, DType dtype, uint64_t count, MemorySpace space);

  // --- short names of i8 arithmetic
  LocalId int_local(const std::string& name, ExprId value) {
    const LocalId local = b_.add_local(name, scalar(DType::i8));
    b_.assign(local, value);
    return local;
  }
  ExprId number(int64_t value) { return l_.number(value); }
  ExprId binary(BinaryOp op, ExprId lhs, ExprId rhs) { return b_.binary(op, lhs, rhs); }
  ExprId add(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kAdd, lhs, rhs); }
  ExprId sub(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kSub, lhs, rhs); }
  ExprId mul(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kMul, lhs, rhs); }
  ExprId min(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kMin, lhs, rhs); }
  ExprId less(ExprId lhs, ExprId rhs) { return b_.compare(CompareOp::kLt, lhs, rhs); }
  /// Numbers of elements, which are not negative.
  ExprId quotient(ExprId lhs, ExprId rhs);
  void increase(LocalId local, ExprId by) { b_.assign(local, add(b_.local(local), by)); }
  /// for `name` in range(begin, end, step)
  template <class Body>
  void count_loop(const char* name, ExprId begin, ExprId end, int64_t step, const Body& body) {
    const LocalId index = int_local(name, begin);
    b_.loop(
        b_.add_label(name), [&] { return less(b_.local(index), end); }, [&] { body(b_.local(index)); },
        [&] { increase(index, number(step)); });
  }
  template <class Body>
  void lane_loop(const char* name, ExprId count, const Body& body) {
    const LocalId index = b_.add_local(name, scalar(DType::i8));
    b_.lane_loop(b_.add_label(name), index, count, [&] { body(b_.local(index)); });
  }

  Lowerer& l_;
  Builder& b_;
  const RowKernel& kernel_;
  const RowsForm& form_;
  LocalId first_lane_;     ///< lanes are results: number of the thread block's first one
  LocalId first_, count_;  ///< number of the first element of the block, and how many it has

 private:
  void number_values();
  void declare();
  RowArray declare_array(const std::string& name, DType dtype, uint32_t rank, Walk walk, bool is_written);
  void declare_partials(std::vector<RowArray>& arrays, const std::vector<Walk>& walks, size_t first_walk,
                        bool is_written);
  ExprId stride(RowArray& array, uint32_t axis);
  std::vector<AddressTerm> terms(RowArray& array, const RowPlace& place);
  void load_row_operands();
  uint32_t fold_stage() const;

  std::vector<RowSource> sources_;
  std::vector<uint32_t> first_fold_;  ///< by stage: number of the first fold's value
  std::vector<RowArray> operands_;    ///< by operand; scalars have only row_values_
  std::vector<RowArray> partials_read_, writes_;
  std::vector<Value> row_values_;  ///< by number of the value
  std::map<uint32_t, FoldState> fold_states_;
  uint32_t axes_ = 0;  ///< argument
  std::vector<ExprId> extents_;
  ExprId count_inner_, count_outer_;
  uint32_t last_walk_ = UINT32_MAX;  ///< the stage that stores the outputs of elements
};

/// The values of one element, each computed where it is first wanted.
class ElementPoint {
 public:
  ElementPoint(RowLowering& rows, RowPlace place) : rows_(rows), place_(std::move(place)) {}

  const RowPlace& place() const { return place_; }
  Value value(uint32_t id);
  /// Known from elsewhere.
  void set(uint32_t id, const Value& value) { values_[id] = value; }
  bool knows(uint32_t id) const { return values_.count(id) != 0; }
  /// Loads the operands that the stage's element function takes.
  void load_operands(uint32_t stage);
  /// What the folds of the stage see of this element.
  FoldState state(uint32_t stage, size_t fold);

 private:
  const std::vector<Value>& results(uint32_t stage);

  RowLowering& rows_;
  RowPlace place_;
  std::map<uint32_t, Value> values_;
  std::map<uint32_t, std::vector<Value>> results_;
  ExprId number_;
};

std::unique_ptr<RowLowering> make_unrolled_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form);
std::unique_ptr<RowLowering> make_side_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form);
std::unique_ptr<RowLowering> make_packed_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form);
std::unique_ptr<RowLowering> make_along_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form);
std::unique_ptr<RowLowering> make_warp_rows(Lowerer& lowerer, const RowKernel& kernel, const RowsForm& form);

}  // namespace jitc::kernel
