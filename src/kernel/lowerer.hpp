// The lowering's state. Private to src/kernel; methods are spread over lower_*.cpp: expressions, arrays, calls, loops,
// statements.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/kernel/builder.hpp"
#include "src/kernel/index_bounds.hpp"
#include "src/kernel/lower.hpp"

namespace jitc::kernel {

/// An array as the kernel sees it: a pointer and explicit extents and byte strides.
struct ArrayValue {
  std::string name;  ///< for messages
  DType dtype = DType::f8;
  ExprId data;
  std::vector<ExprId> extents, strides;
  std::optional<uint32_t> argument;  ///< the kernel argument it certainly is (a view of)
};

/// A lowered value: one scalar, an array, or a tuple of values; a complex number is the tuple of its parts. Its
/// expressions may be used any number of times only after Lowerer::pin().
struct Value {
  ExprId scalar;
  std::optional<ArrayValue> array;
  std::vector<Value> items;
  bool is_tuple = false;
};

inline Value of_scalar(ExprId id) {
  Value out;
  out.scalar = id;
  return out;
}

/// A complex number.
inline Value of_parts(ExprId real, ExprId imag) {
  Value out;
  out.is_tuple = true;
  out.items = {of_scalar(real), of_scalar(imag)};
  return out;
}

/// A variable: mutable locals, or a value that is never assigned again (a read-only parameter).
struct Slot {
  LocalId local;
  std::optional<Value> fixed;
  std::vector<LocalId> array_locals;  ///< data, extents…, strides…
  std::string name;
  DType dtype = DType::f8;  ///< of an array's elements
  std::optional<uint32_t> argument;
  std::vector<Slot> items;
};

class Lowerer {
 public:
  Lowerer(const source::SourceFile& file, const types::TypeTable& types, const LowerOptions& options)
      : file_(file), types_(types), options_(options), b_("") {}

  KernelProgram run(const sema::TypedFunction& kernel);
  KernelProgram run_call(const sema::TypedFunction& function, const CallForm& form);
  KernelProgram run_rows(const RowKernel& kernel, const RowsForm& form);
  KernelProgram run_contract(const ContractKernel& kernel, const ContractForm& form);

 private:
  friend class ContractLowering;
  friend class DeviceContractLowering;
  friend class ElementwiseLowering;
  friend class GufuncLowering;
  friend class HostContractLowering;
  friend class FoldLowering;
  friend class LineLowering;
  friend class ReduceLowering;
  friend class RowLowering;
  friend class ElementPoint;

  struct LoopLabels {
    LabelId break_to;
    LabelId continue_to;
    bool continue_exits = false;  ///< continue leaves a Scope (an unrolled copy) instead of going to a Loop's step
  };
  /// One function being lowered: the kernel, or a device function inlined into it.
  struct Frame {
    const sema::TypedFunction* fn = nullptr;
    std::map<uint32_t, Slot> slots;
    std::vector<LoopLabels> loops;
    LabelId return_to;  ///< invalid in the kernel itself
    std::optional<Slot> result;
    std::vector<int8_t> effects;  ///< memo of has_effect(), by expression
    std::vector<uint32_t> path;   ///< the calls it was inlined through, by their expressions
  };

  // --- lower.cpp ---
  KernelProgram finish(const sema::TypedFunction& fn);
  void declare_arguments(const sema::TypedFunction& kernel);
  Value argument_value(uint32_t argument, const types::ArrayType& type);
  ExprId c_stride(const std::vector<ExprId>& extents, size_t axis, DType dtype, bool fortran);
  const IndexBounds& bounds(const sema::TypedFunction& fn);
  DType dtype_of(types::TypeId type) const;
  const sema::Expr& node(sema::ExprId id) const { return frame_->fn->exprs[id]; }
  /// How many statements assign the variable; a parameter's arrival is none.
  uint32_t assignments(const sema::TypedFunction& fn, sema::VarId var);
  void check_size();

  // --- lower_slots.cpp: variables and values ---
  Slot make_slot(const std::string& name, types::TypeId type);
  Slot& slot(sema::VarId var);
  Value read(const Slot& slot);
  void write(Slot& slot, const Value& value);
  /// The value with every expression a leaf, so that it may be used more than once.
  Value pin(const Value& value);
  ExprId pin(ExprId id);
  bool is_leaf(ExprId id) const;
  ExprId number(int64_t v) { return b_.constant(DType::i8, v); }
  /// The indices along the axes [begin, end) of the element that has this number in C order: its digits in the mixed
  /// base of `extent_of(axis)`. Computed in the number's own type, which is unsigned; each is a local of `index_type`.
  template <class ExtentOf>
  std::vector<ExprId> split_number(ExprId value, uint32_t begin, uint32_t end, DType index_type,
                                   const ExtentOf& extent_of);

  // --- lower_exprs.cpp ---
  Value lower(sema::ExprId id);
  ExprId lower_scalar(sema::ExprId id) { return lower(id).scalar; }
  ArrayValue lower_array(sema::ExprId id);
  std::vector<ExprId> lower_operands(const std::vector<sema::ExprId>& ids);
  ExprId lower_compare(const sema::CompareExpr& e);
  ExprId lower_logic(const sema::LogicExpr& e);
  Value lower_logic_value(const sema::LogicValueExpr& e, types::TypeId type);
  Value lower_ternary(const sema::TernaryExpr& e, types::TypeId type);
  Value lower_let(const sema::LetExpr& e);
  /// It or an operand acts on memory or on other threads: what was evaluated before must be pinned first.
  bool has_effect(sema::ExprId id);
  bool has_effect(const std::vector<sema::ExprId>& ids);
  /// Neither loads nor statements nor costly: may be evaluated although its value is not wanted.
  bool is_cheap(sema::ExprId id);

  // --- lower_complex.cpp ---
  Value scalar_param(const std::string& name, DType dtype);
  /// The element at `ref`, and its store.
  Value load(MemRef ref, DType dtype);
  void store(MemRef ref, const Value& value);
  MemRef imag_part(MemRef ref);
  /// A scalar's truth value, as a condition takes it.
  ExprId truth_of(const Value& value);

  // --- lower_calls.cpp ---
  /// `site` tells the call from the others of its function.
  Value inline_call(const sema::CallExpr& e, uint32_t site, source::Span span);
  Value inline_function(const sema::TypedFunction& callee, const std::vector<Value>& args, uint32_t site,
                        source::Span span);

  // --- one for each form of a call; see call_form.hpp ---
  void lower_elementwise(const sema::TypedFunction& function, const ElementwiseForm& form);
  void lower_gufunc(const sema::TypedFunction& function, const GufuncForm& form);
  void lower_reduce(const sema::TypedFunction& function, const ReduceForm& form);
  void lower_accumulate(const sema::TypedFunction& function, const AccumulateForm& form);
  void lower_at(const sema::TypedFunction& function, const AtForm& form);

  // --- lower_contract_host.cpp, lower_contract_device.cpp ---
  void lower_contract_host(const ContractKernel& kernel, const ContractForm& form);
  void lower_contract_device(const ContractKernel& kernel, const ContractForm& form);

  // --- lower_arrays.cpp ---
  ArrayValue lower_array_before(sema::ExprId array, const std::vector<sema::ExprId>& later);
  MemRef element(const ArrayValue& array, const std::vector<sema::ExprId>& indices, source::Span span);
  /// The element at `values`, which are `indices` lowered.
  MemRef place(const ArrayValue& array, const std::vector<sema::ExprId>& indices, const std::vector<ExprId>& values,
               source::Span span);
  ExprId place_index(const ArrayValue& array, uint32_t axis, sema::ExprId index, ExprId value, source::Span span);
  ExprId count_from_end(ExprId value, const std::optional<sema::Constant>& constant, ExprId extent);
  void check_bounds(const ArrayValue& array, uint32_t axis, ExprId index, ExprId shown, source::Span span);
  Value view(const sema::ViewExpr& e, source::Span span);
  struct SliceParts {
    ExprId start, count, step;
  };
  SliceParts slice(const ArrayValue& array, uint32_t axis, const sema::AxisSelection& s);
  ExprId slice_bound(sema::ExprId bound, ExprId extent, ExprId fallback, ExprId low, ExprId high);
  void note_access(const ArrayValue& array, bool write);

  // --- lower_memory.cpp: arrays that the kernel declares ---
  Value lower_memory(const sema::MemoryExpr& e, const std::string& name);
  uint32_t memory_object(const sema::MemoryExpr& e, const std::string& name);

  // --- lower_effects.cpp: what becomes a statement where it is evaluated; the result only where it is wanted ---
  Value lower_random(const sema::RandomExpr& e, source::Span span);
  Value lower_atomic(const sema::AtomicExpr& e, types::TypeId type, source::Span span, bool wanted);
  Value lower_barrier(const sema::BarrierExpr& e, source::Span span, bool wanted);
  Value lower_warp(const sema::WarpExpr& e, types::TypeId type, bool wanted);
  Value lower_print(const sema::PrintExpr& e);
  void print_value(const Value& value, std::vector<PrintPart>& parts);
  ExprId lower_nonzero(const sema::NonZeroExpr& e, source::Span span);
  /// Evaluated for what it does alone.
  void lower_unused(sema::ExprId id);

  // --- lower_stmts.cpp ---
  void lower_assign(const sema::AssignStmt& s);
  void lower_store(const sema::StoreStmt& s, source::Span span);
  void lower_block(const sema::Block& block);
  void lower_stmt(const sema::Stmt& s);
  void lower_if(const sema::IfStmt& s);
  void lower_while(const sema::WhileStmt& s);
  void lower_for(const sema::ForStmt& s);
  void lower_unrolled(const sema::UnrolledStmt& s);
  void lower_return(const sema::ReturnStmt& s);
  void lower_fail(const sema::FailStmt& s, source::Span span);
  /// Runs `loop` so that break leaves an enclosing scope past `orelse` where there is one.
  template <class EmitLoop>
  void with_else(LabelId loop_label, const sema::Block& orelse, const EmitLoop& emit_loop);
  uint32_t fail_site(FailKind kind, const std::string& subject, source::Span span, uint32_t axis);
  bool checked() const { return frame_->fn->options.check; }

  const source::SourceFile& file_;
  const types::TypeTable& types_;
  const LowerOptions& options_;
  Builder b_;
  Frame* frame_ = nullptr;
  std::map<const sema::TypedFunction*, std::unique_ptr<IndexBounds>> bounds_;
  std::map<const sema::TypedFunction*, std::vector<uint32_t>> assignments_;
  /// The memory object of each place that declares one: see memory_object().
  std::map<std::vector<uint64_t>, uint32_t> memory_;
};

template <class ExtentOf>
std::vector<ExprId> Lowerer::split_number(ExprId value, uint32_t begin, uint32_t end, DType index_type,
                                          const ExtentOf& extent_of) {
  std::vector<ExprId> out(end - begin);
  if (out.empty()) return out;
  const DType type = b_.type_of(value).dtype;
  const LocalId rest = b_.add_local("rest", scalar(type));
  b_.assign(rest, value);
  for (uint32_t axis = end; axis-- > begin;) {
    const LocalId index = b_.add_local("i" + std::to_string(axis), scalar(index_type));
    const ExprId size = b_.convert(type, extent_of(axis));
    const ExprId digit = axis == begin ? b_.local(rest) : b_.binary(BinaryOp::kMod, b_.local(rest), size);
    b_.assign(index, b_.convert(index_type, digit));
    if (axis != begin) b_.assign(rest, b_.binary(BinaryOp::kFloorDiv, b_.local(rest), size));
    out[axis - begin] = b_.local(index);
  }
  return out;
}

}  // namespace jitc::kernel
