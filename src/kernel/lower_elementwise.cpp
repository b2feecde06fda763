// The kernels that a ufunc becomes: the scalar function inlined, once for each element that a thread has.
//
//   rank 1           i = cuda.grid(1)
//                    if i < out.size: out[i] = f(a[i], b, …)
//   groups of 4      p = 4 * cuda.grid(1), counted from an aligned address; the first and last groups may be cut
//   rank 2 and more  blocks of (x, y) threads: x runs along the innermost axis, y and the grid's y and z over all
//                    others together, so that only rows, not elements, are divided into indices
#include <bit>

#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

/// The lowering of one form.
class ElementwiseLowering {
 public:
  ElementwiseLowering(Lowerer& lowerer, const sema::TypedFunction& function, const ElementwiseForm& form)
      : l_(lowerer), b_(lowerer.b_), function_(function), form_(form) {}

  void run() {
    declare();
    if (form_.rank > 1) return rows();
    if (form_.elems_per_thread > 1) return groups();
    single_elements();
  }

 private:
  /// An array, as an argument of the kernel.
  struct Operand {
    uint32_t argument = 0;
    DType dtype = DType::f8;
    Walk walk = Walk::next;
    ExprId data;     ///< of an index: its value at the first element
    LocalId offset;  ///< rows: bytes to the first element of the row, or what an index has grown to there
  };

  void declare() {
    const Layout layout = form_.rank == 1 ? Layout::c : Layout::any;
    const auto add_array = [&](const std::string& name, DType dtype, Walk walk) {
      if (walk == Walk::index) return add_index(name);
      const Layout own = walk == Walk::next ? layout : Layout::any;
      Operand out{b_.array_argument(name, dtype, form_.rank, own), dtype, walk, {}, {}};
      const uint32_t data = b_.data_param(out.argument);
      const uint32_t group_bytes = static_cast<uint32_t>(size_bytes(dtype)) * form_.elems_per_thread;
      if (walk == Walk::next && form_.elems_per_thread > 1) b_.program().params[data].align_bytes = group_bytes;
      out.data = b_.param(data);
      return out;
    };
    for (size_t k = 0; k < function_.params.size(); ++k) {
      const sema::Variable& v = function_.vars[function_.params[k]];
      const DType dtype = l_.dtype_of(v.type);
      if (form_.params[k] == Walk::scalar) {
        params_.emplace_back(l_.scalar_param(v.name, dtype));
      } else {
        params_.emplace_back(add_array(v.name, dtype, form_.params[k]));
        b_.program().arguments.back().read = form_.params[k] != Walk::index;
      }
    }
    const std::vector<DType> results = result_dtypes(l_.types_, function_);
    for (size_t k = 0; k < results.size(); ++k) {
      results_.push_back(add_array(result_name(k, results.size()), results[k], form_.results[k]));
      b_.program().arguments.back().written = true;
    }
    add_steps();
  }

  /// An index is a scalar, its first value, and behind the results what looks like an array: its steps for strides.
  Operand add_index(const std::string& name) {
    return {0, DType::i8, Walk::index, b_.param(b_.scalar_param(name, DType::i8)), {}};
  }
  void add_steps() {
    for (auto& param : params_) {
      auto* operand = std::get_if<Operand>(&param);
      if (operand == nullptr || operand->walk != Walk::index) continue;
      operand->argument = b_.array_argument("steps", DType::i8, form_.rank, Layout::any);
    }
  }

  // --- one element after the other ---

  void single_elements() {
    ExprId index = position(b_.thread(ThreadValue::kGlobalIdx), "i");
    const ExprId size = extent(0);
    b_.if_then(b_.compare(CompareOp::kLt, index, size),
               [&] { element([&](const Operand& operand) { return at_index(operand, index); }); });
  }

  /// The element at a place, or the value that an index has there.
  Value value_at(const Operand& operand, const MemRef& place) {
    if (operand.walk != Walk::index) return l_.load(place, operand.dtype);
    ExprId sum = operand.data;
    for (const AddressTerm& term : place.terms) {
      sum = b_.binary(BinaryOp::kAdd, sum, b_.binary(BinaryOp::kMul, term.index, term.stride_bytes));
    }
    return of_scalar(sum);
  }

  MemRef at_index(const Operand& operand, ExprId index) {
    MemRef ref{operand.data, {}};
    if (operand.walk == Walk::next) ref.terms.push_back({index, elem_bytes(operand)});
    if (operand.walk == Walk::strided || operand.walk == Walk::index) add_step(ref, index, stride(operand, 0));
    return ref;
  }

  /// A number of elements as a local; of 32 bits where the form allows that.
  ExprId position(ExprId value, const char* name) {
    if (!form_.narrow) {
      const LocalId local = b_.add_local(name, scalar(DType::i8));
      b_.assign(local, value);
      return b_.local(local);
    }
    const LocalId local = b_.add_local(name, scalar(DType::i4));
    b_.assign(local, b_.convert(DType::i4, value));
    return b_.convert(DType::i8, b_.local(local));
  }

  void add_step(MemRef& ref, ExprId index, ExprId stride_bytes) {
    if (!form_.narrow) return void(ref.terms.push_back({index, stride_bytes}));
    const ExprId product = b_.binary(BinaryOp::kMul, b_.convert(DType::i4, index), b_.convert(DType::i4, stride_bytes));
    ref.terms.push_back({b_.convert(DType::i8, product), l_.number(1)});
  }

  // --- groups of neighbours, whose loads and stores join into wide ones ---

  /// The ends of a call may not fill their groups: those are done element by element.
  void groups() {
    const uint32_t first_param = b_.scalar_param("first", DType::i8);
    const ExprId first = b_.param(first_param), end = extent(0);
    const ExprId count = l_.number(form_.elems_per_thread);
    const ExprId begin = position(b_.binary(BinaryOp::kMul, b_.thread(ThreadValue::kGlobalIdx), count), "p");
    const ExprId group_end = b_.binary(BinaryOp::kAdd, begin, count);
    b_.if_then(b_.compare(CompareOp::kLt, begin, end), [&] {
      const ExprId whole = b_.binary(BinaryOp::kAnd, b_.compare(CompareOp::kLe, first, begin),
                                     b_.compare(CompareOp::kLe, group_end, end));
      b_.if_then_else(
          whole, [&] { whole_group(begin); },
          [&] { cut_group(b_.binary(BinaryOp::kMax, begin, first), b_.binary(BinaryOp::kMin, group_end, end)); });
    });
  }

  void whole_group(ExprId begin) {
    std::vector<std::vector<Value>> args(form_.elems_per_thread), values;
    for (auto& param : params_) {
      const auto* operand = std::get_if<Operand>(&param);
      for (uint32_t k = 0; k < form_.elems_per_thread; ++k) {
        args[k].push_back(operand == nullptr ? std::get<Value>(param)
                                             : l_.pin(value_at(*operand, at_index(*operand, behind(begin, k)))));
      }
    }
    for (uint32_t k = 0; k < form_.elems_per_thread; ++k) values.push_back(compute(args[k], k));
    for (size_t i = 0; i < results_.size(); ++i) {
      for (uint32_t k = 0; k < form_.elems_per_thread; ++k) {
        l_.store(at_index(results_[i], behind(begin, k)), values[k][i]);
      }
    }
  }

  ExprId behind(ExprId begin, uint32_t k) { return k == 0 ? begin : b_.binary(BinaryOp::kAdd, begin, l_.number(k)); }

  void cut_group(ExprId begin, ExprId end) {
    const LocalId index = b_.add_local("q", scalar(DType::i8));
    b_.assign(index, begin);
    b_.loop(
        b_.add_label("cut"), [&] { return b_.compare(CompareOp::kLt, b_.local(index), end); },
        [&] { element([&](const Operand& operand) { return at_index(operand, b_.local(index)); }); },
        [&] { b_.assign(index, b_.binary(BinaryOp::kAdd, b_.local(index), l_.number(1))); });
  }

  // --- rows: any strides ---

  void rows() {
    const uint32_t inner = form_.rank - 1U;
    const ExprId row = row_number();
    const LocalId begin = b_.add_local("begin", scalar(DType::i8));
    b_.assign(begin, b_.binary(BinaryOp::kMul, b_.thread(ThreadValue::kBlockIdx), b_.thread(ThreadValue::kBlockDim)));
    ExprId rows = extent(0);
    for (uint32_t axis = 1; axis < inner; ++axis) rows = b_.binary(BinaryOp::kMul, rows, extent(axis));
    const ExprId here = b_.binary(BinaryOp::kSub, extent(inner), b_.local(begin));
    const ExprId inside = b_.binary(BinaryOp::kAnd, b_.compare(CompareOp::kLt, row, rows),
                                    b_.compare(CompareOp::kLt, b_.thread(ThreadValue::kThreadIdx), here));
    b_.if_then(inside, [&] {
      find_row(row);
      element([&](const Operand& operand) { return at_thread(operand, b_.local(begin)); });
    });
  }

  ExprId row_number() {
    const auto along = [&](ThreadValue value, uint8_t axis) { return b_.thread(value, axis); };
    const ExprId blocks = b_.binary(
        BinaryOp::kAdd, b_.binary(BinaryOp::kMul, along(ThreadValue::kBlockIdx, 2), along(ThreadValue::kGridDim, 1)),
        along(ThreadValue::kBlockIdx, 1));
    const LocalId row = b_.add_local("row", scalar(DType::i8));
    b_.assign(row, b_.binary(BinaryOp::kAdd, b_.binary(BinaryOp::kMul, blocks, along(ThreadValue::kBlockDim, 1)),
                             along(ThreadValue::kThreadIdx, 1)));
    return b_.local(row);
  }

  /// Every array's offset to the row: its number in the mixed base of the outer extents.
  void find_row(ExprId row) {
    const DType type = form_.narrow ? DType::u4 : DType::u8, signed_type = form_.narrow ? DType::i4 : DType::i8;
    const std::vector<ExprId> indices = l_.split_number(b_.convert(type, row), 0, form_.rank - 1U, signed_type,
                                                        [&](uint32_t axis) { return extent(axis); });
    const auto add_offset = [&](Operand& operand) {
      ExprId sum = l_.number(0);
      for (uint32_t axis = 0; axis < indices.size(); ++axis) {
        const ExprId stride_bytes = b_.convert(signed_type, stride(operand, axis));
        const ExprId term = b_.binary(BinaryOp::kMul, indices[axis], stride_bytes);
        sum = axis == 0 ? term : b_.binary(BinaryOp::kAdd, sum, term);
      }
      operand.offset = b_.add_local(b_.program().arguments[operand.argument].name + ".row", scalar(DType::i8));
      b_.assign(operand.offset, b_.convert(DType::i8, sum));
    };
    for (auto& param : params_) {
      if (auto* operand = std::get_if<Operand>(&param)) add_offset(*operand);
    }
    for (Operand& operand : results_) add_offset(operand);
  }

  MemRef at_thread(const Operand& operand, ExprId begin) {
    MemRef ref{operand.data, {{b_.local(operand.offset), l_.number(1)}}};
    if (operand.walk == Walk::same) return ref;
    const ExprId step = operand.walk == Walk::next ? elem_bytes(operand) : stride(operand, form_.rank - 1U);
    ref.terms.push_back({begin, step});
    ref.terms.push_back({b_.thread(ThreadValue::kThreadIdx), step});
    return ref;
  }

  // --- the function ---

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

  std::vector<Value> compute(const std::vector<Value>& args, uint32_t site) {
    Value value = l_.inline_function(function_, args, site, function_.span);
    if (l_.types_.as_tuple(function_.return_type) == nullptr) return {std::move(value)};
    return std::move(value.items);
  }

  ExprId elem_bytes(const Operand& operand) { return l_.number(static_cast<int64_t>(size_bytes(operand.dtype))); }
  /// Of the call's axes, which are those of every result.
  ExprId extent(uint32_t axis) {
    if (extents_.empty()) {
      for (uint32_t k = 0; k < form_.rank; ++k) extents_.push_back(b_.extent_param(results_[0].argument, k));
    }
    return b_.param(extents_[axis]);
  }
  ExprId stride(const Operand& operand, uint32_t axis) {
    std::vector<uint32_t>& made = strides_[operand.argument];
    if (made.empty()) {
      for (uint32_t k = 0; k < form_.rank; ++k) made.push_back(b_.stride_param(operand.argument, k));
    }
    return b_.param(made[axis]);
  }

  Lowerer& l_;
  Builder& b_;
  const sema::TypedFunction& function_;
  const ElementwiseForm& form_;
  std::vector<std::variant<Value, Operand>> params_;
  std::vector<Operand> results_;
  std::vector<uint32_t> extents_;
  std::map<uint32_t, std::vector<uint32_t>> strides_;
};

void Lowerer::lower_elementwise(const sema::TypedFunction& function, const ElementwiseForm& form) {
  ElementwiseLowering(*this, function, form).run();
}

std::vector<DType> result_dtypes(const types::TypeTable& types, const sema::TypedFunction& function) {
  std::vector<DType> out;
  if (const types::TupleType* tuple = types.as_tuple(function.return_type)) {
    for (const types::TypeId item : tuple->elements) out.push_back(types.as_scalar(item)->dtype);
  } else {
    out.push_back(types.as_scalar(function.return_type)->dtype);
  }
  return out;
}

std::string result_name(size_t index, size_t count) { return count == 1 ? "out" : "out" + std::to_string(index); }

CallForm plain_form(const types::TypeTable& types, const sema::TypedFunction& function) {
  return ElementwiseForm{std::vector(function.params.size(), Walk::next),
                         std::vector(result_dtypes(types, function).size(), Walk::next)};
}

namespace {

/// Nodes of a body above which the loads and stores are a small part of the work.
constexpr size_t kMaxNodesInGroups = 150;

/// Adds up the nodes of a function and what it calls; kMaxNodesInGroups + 1 where there is what copies would only
/// make larger.
size_t count_nodes(const sema::TypedFunction& function) {
  size_t count = function.exprs.size();
  for (const sema::Stmt& stmt : function.stmts) {
    if (std::holds_alternative<sema::WhileStmt>(stmt.kind) || std::holds_alternative<sema::ForStmt>(stmt.kind)) {
      return kMaxNodesInGroups + 1;
    }
  }
  for (const sema::Expr& e : function.exprs) {
    if (std::holds_alternative<sema::MemoryExpr>(e.kind)) return kMaxNodesInGroups + 1;
    if (const auto* call = std::get_if<sema::CallExpr>(&e.kind)) count += count_nodes(*call->function);
    if (count > kMaxNodesInGroups) return count;
  }
  return count;
}

}  // namespace

uint8_t elems_in_group(const types::TypeTable& types, const sema::TypedFunction& function) {
  constexpr size_t kGroupBytes = 16;  // the widest access of a thread
  size_t widest = 1;
  for (const sema::VarId var : function.params) {
    widest = std::max<size_t>(widest, size_bytes(types.as_scalar(function.vars[var].type)->dtype));
  }
  for (const DType dtype : result_dtypes(types, function)) widest = std::max<size_t>(widest, size_bytes(dtype));
  constexpr size_t kMaxCopies = 8;
  const size_t count = std::min(kGroupBytes / widest, kMaxCopies);
  return count_nodes(function) * count > kMaxNodesInGroups ? 1 : static_cast<uint8_t>(count);
}

}  // namespace jitc::kernel
