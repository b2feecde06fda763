// What the kernels of contractions have in common: their arguments, the elements of factors, sums, and the epilogue.
// Private to src/kernel.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "jitc/contraction_order.hpp"
#include "src/kernel/contract_kernel.hpp"
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

class ContractLowering {
 protected:
  /// An argument that has elements along the batch axes and two more: m and k, k and n, or m and n.
  struct Operand {
    KernelOperand::Kind kind = KernelOperand::Kind::array;
    DType dtype = DType::f8;
    uint32_t argument = 0;  ///< whose strides these are
    ExprId data;            ///< of an array
    Value value;            ///< of a scalar; of an index its first value
    int unit_axis = -1;     ///< 0 or 1: of the two axes the one along which elements are neighbours
    LocalId batch;          ///< bytes (of an index: steps) from the first element to the first of this batch
  };
  struct Factor {
    const ContractFactor* source = nullptr;
    std::vector<Operand> operands;
  };
  /// A number that is summed up: one local, or two of a complex one.
  using Sum = std::vector<LocalId>;
  using Parts = std::vector<ExprId>;

  ContractLowering(Lowerer& lowerer, const ContractKernel& kernel, const ContractForm& form)
      : l_(lowerer), b_(lowerer.b_), kernel_(kernel), form_(form) {}

  // --- arguments ---
  void declare();
  uint32_t batch_rank() const { return form_.batch_rank; }
  ExprId extent_m() { return b_.param(extents_[batch_rank()]); }
  ExprId extent_n() { return b_.param(extents_[batch_rank() + 1]); }
  ExprId extent_k() { return k_; }
  ExprId stride(const Operand& operand, uint32_t axis);
  /// A step along the first (0) or second (1) of its own two axes.
  AddressTerm step(const Operand& operand, uint32_t which, ExprId index);
  /// Tiles are numbered along n, then along m, then by batch; finds the operands' offsets to the batch of tile number
  /// `blockIdx.x` and that tile's first row and column.
  void find_tile(ExprId tile_m, ExprId tile_n);

  // --- values ---
  /// The factor's element, in the parts of the kernel's dtype. `terms_of(operand)`: where an operand's element is.
  template <class TermsOf>
  Parts element(const Factor& factor, const TermsOf& terms_of) {
    std::vector<Value> values;
    for (const Operand& operand : factor.operands) values.push_back(fetch(operand, terms_of(operand)));
    return element_of(factor, values);
  }
  Parts element_of(const Factor& factor, const std::vector<Value>& values);
  Value fetch(const Operand& operand, const std::vector<AddressTerm>& terms);
  /// Applies the epilogue to a sum, and stores the results.
  template <class TermsOf>
  void finish(const Parts& sum, const TermsOf& terms_of) {
    std::vector<Value> values;
    for (const Operand& operand : epilogue_) values.push_back(l_.pin(fetch(operand, terms_of(operand))));
    const std::vector<Value> results = apply_epilogue(sum, values);
    for (size_t i = 0; i < outputs_.size(); ++i) { l_.store({outputs_[i].data, terms_of(outputs_[i])}, results[i]); }
  }

  // --- sums ---
  bool is_complex_sum() const { return is_complex(kernel_.dtype); }
  size_t parts() const { return is_complex_sum() ? 2 : 1; }
  DType part() const { return part_type(kernel_.dtype); }
  Sum make_sum(const std::string& name);
  Parts read(const Sum& sum);
  void assign(const Sum& sum, const Parts& value);
  /// sum + a * b, in the steps that docs/design/contractions.md gives.
  Parts multiply_add(const Parts& sum, const Parts& a, const Parts& b);
  Parts add_sums(const Parts& total, const Parts& sum);
  /// `name` holds `count_elems` parts of numbers.
  uint32_t add_memory(const std::string& name, uint64_t count_elems, MemorySpace space);
  MemRef part_at(uint32_t memory, std::vector<ExprId> indices);

  // --- short names of i8 arithmetic ---
  LocalId int_local(const std::string& name, ExprId value) {
    const LocalId local = b_.add_local(name, scalar(DType::i8));
    b_.assign(local, value);
    return local;
  }
  ExprId number(int64_t value) { return l_.number(value); }
  ExprId add(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kAdd, lhs, rhs); }
  ExprId sub(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kSub, lhs, rhs); }
  ExprId mul(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kMul, lhs, rhs); }
  ExprId min(ExprId lhs, ExprId rhs) { return b_.binary(BinaryOp::kMin, lhs, rhs); }
  ExprId less(ExprId lhs, ExprId rhs) { return b_.compare(CompareOp::kLt, lhs, rhs); }
  /// Of numbers that are not negative.
  ExprId div(ExprId lhs, ExprId rhs) { return unsigned_op(BinaryOp::kFloorDiv, lhs, rhs); }
  ExprId mod(ExprId lhs, ExprId rhs) { return unsigned_op(BinaryOp::kMod, lhs, rhs); }
  ExprId ceil_div(ExprId value, ExprId unit) { return div(add(value, sub(unit, number(1))), unit); }
  void increase(LocalId local, ExprId by) { b_.assign(local, add(b_.local(local), by)); }
  /// for index in range(0, end, step): body(index)
  template <class Body>
  void count_up(const std::string& name, ExprId end, int64_t step, const Body& body, uint16_t lanes = 0) {
    const LocalId index = int_local(name, number(0));
    b_.loop(
        b_.add_label(name), [&] { return less(b_.local(index), end); }, [&] { body(b_.local(index)); },
        [&] { increase(index, number(step)); }, lanes);
  }

  Lowerer& l_;
  Builder& b_;
  const ContractKernel& kernel_;
  const ContractForm& form_;
  Factor a_, b_factor_;
  std::vector<Operand> epilogue_, outputs_;
  ExprId first_m_, first_n_;  ///< of the tile

 private:
  Operand declare_operand(const KernelOperand& source, const std::string& name, int unit_axis);
  uint32_t declare_array(const std::string& name, DType dtype);
  Factor declare_factor(const ContractFactor& source, const char* name, const std::vector<Neighbours>& neighbours);
  std::vector<Value> apply_epilogue(const Parts& sum, const std::vector<Value>& operands);
  Parts parts_of(const Value& value, DType dtype);
  Value value_of(const Parts& parts) const;
  Value convert(const Value& value, DType from, DType to);
  Value call(const sema::TypedFunction& function, const std::vector<Value>& args, const std::vector<DType>& types);
  ExprId unsigned_op(BinaryOp op, ExprId lhs, ExprId rhs) {
    return b_.convert(DType::i8, b_.binary(op, b_.convert(DType::u8, lhs), b_.convert(DType::u8, rhs)));
  }
  std::vector<Operand*> all_operands();

  std::vector<uint32_t> extents_;                      ///< parameters: of the outputs' axes
  std::map<uint32_t, std::vector<uint32_t>> strides_;  ///< parameters, by argument
  ExprId k_;
};

}  // namespace jitc::kernel
