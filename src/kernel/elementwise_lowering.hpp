// What all forms of a kernel of elements have in common: arguments, the places of elements, and the function between
// them. Private to src/kernel; lower_elementwise.cpp has the forms of one element for each thread,
// lower_elementwise_groups.cpp those of neighbours along one axis, lower_elementwise_tiles.cpp those of two axes.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

/// The lowering of one form.
class ElementwiseLowering {
 public:
  ElementwiseLowering(Lowerer& lowerer, const sema::TypedFunction& function, const ElementwiseForm& form)
      : l_(lowerer), b_(lowerer.b_), function_(function), form_(form) {}

  void run();

 private:
  /// An array, as an argument of the kernel.
  struct Operand {
    uint32_t argument = 0;
    DType dtype = DType::f8;
    Walk walk = Walk::next;
    ExprId data;  ///< of an index: its value at the first element
    bool is_result = false;
    LocalId offset;  ///< rows, tiles: bytes to the first element of the row, or what an index has grown to there
    uint32_t tile_copy = 0;  ///< tiles, walked across: memory that holds its elements of the tile
  };
  /// Where the first element of a row or a tile lies: its indices along all axes but the innermost.
  using Indices = std::vector<ExprId>;

  // --- arguments
  void declare();
  Operand declare_array(const std::string& name, DType dtype, Walk walk, bool is_result);
  Operand declare_index(const std::string& name);
  void declare_steps();

  // --- forms
  void single_elements();
  void groups();
  void whole_group(ExprId begin);
  void cut_group(ExprId begin, ExprId end);
  ExprId behind(ExprId begin, uint32_t k) { return k == 0 ? begin : b_.binary(BinaryOp::kAdd, begin, l_.number(k)); }
  void rows();
  void streams();

  // --- tiles
  void tiles();
  void declare_tile();
  void own_tile(ExprId inner_count, ExprId cross_count);
  void shared_tile(ExprId inner_count, ExprId cross_count);
  /// The element of an argument that is walked across, where it lies.
  MemRef across(const Operand& operand, ExprId i, ExprId c);
  MemRef in_copy(const Operand& operand, ExprId i, ExprId c);
  /// What the function is given of an argument, or where it stores a result.
  MemRef in_tile(const Operand& operand, ExprId i, ExprId c);
  template <class Visit>
  void for_across(const Visit& visit) {
    for (auto& param : params_) {
      auto* operand = std::get_if<Operand>(&param);
      if (operand != nullptr && operand->walk == Walk::across) visit(*operand);
    }
  }

  // --- places
  /// One index for all arrays.
  MemRef at_index(const Operand& operand, ExprId index);
  /// In a row: element `first` + `beside`.
  MemRef in_row(const Operand& operand, ExprId first, ExprId beside);
  void add_step(MemRef& ref, ExprId index, ExprId stride_bytes);
  ExprId position(ExprId value, const char* name);
  /// The number of the thread among those that differ in y and z alone, and that of its block.
  ExprId line_number();
  ExprId line_of_blocks();
  /// Sets every array's offset.
  void find_row(const Indices& indices, DType type);
  /// Of a result that streams a multiple that everyone can see.
  ExprId row_step(const Operand& operand, uint32_t axis);
  ExprId elem_bytes(const Operand& operand) { return l_.number(static_cast<int64_t>(size_bytes(operand.dtype))); }
  /// Of the call's axes, which are those of every result.
  ExprId extent(uint32_t axis);
  ExprId stride(const Operand& operand, uint32_t axis);

  // --- short names
  ExprId mul(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kMul, lhs, rhs); }
  ExprId add(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kAdd, lhs, rhs); }
  ExprId sub(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kSub, lhs, rhs); }
  ExprId less(ExprId lhs, ExprId rhs) { return b_.compare(CompareOp::kLt, lhs, rhs); }
  ExprId pin(ExprId id) { return l_.pin(id); }
  /// for `name` in range(count), with independent iterations
  template <class Body>
  void lane_loop(const char* name, ExprId count, const Body& body) {
    const LocalId index = b_.add_local(name, scalar(DType::i8));
    b_.lane_loop(b_.add_label(name), index, count, [&] { body(b_.local(index)); });
  }

  template <class Body>
  void count_loop(const char* name, ExprId count, const Body& body) {
    const LocalId index = b_.add_local(name, scalar(DType::i8));
    b_.assign(index, l_.number(0));
    b_.loop(
        b_.add_label(name), [&] { return less(b_.local(index), count); }, [&] { body(b_.local(index)); },
        [&] { b_.assign(index, add(b_.local(index), l_.number(1))); });
  }

  // --- the function
  /// The element at a place, or the value that an index has there.
  Value value_at(const Operand& operand, const MemRef& place);
  std::vector<Value> compute(const std::vector<Value>& args, uint32_t site);
  /// `place` says where an array's element is. All arguments are loaded before any store: a result may lie over one.
  template <class Place>
  void element(const Place& place) {
    std::vector<Value> args;
    for (const auto& param : params_) {
      const auto* operand = std::get_if<Operand>(&param);
      args.push_back(operand == nullptr ? std::get<Value>(param) : value_at(*operand, place(*operand)));
    }
    const std::vector<Value> values = compute(args, 0);
    for (size_t i = 0; i < results_.size(); ++i) l_.store(place(results_[i]), values[i]);
  }

  Lowerer& l_;
  Builder& b_;
  const sema::TypedFunction& function_;
  const ElementwiseForm& form_;
  std::vector<std::variant<Value, Operand>> params_;
  std::vector<Operand> results_;
  std::vector<uint32_t> extents_;
  std::map<uint32_t, std::vector<uint32_t>> strides_;
  struct {
    int64_t side = 0;
    int64_t pitch = 0;  ///< elements from one row of the copy to the next
    ExprId first;       ///< along the innermost axis
  } tile_;
};

}  // namespace jitc::kernel
