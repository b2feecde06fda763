// The kernels that a ufunc becomes: the scalar function inlined, once for each element that a thread has.
//
//   rank 1           i = cuda.grid(1)
//                    if i < out.size: out[i] = f(a[i], b, …)
//   rank 2 and more  blocks of (x, y) threads: x runs along the innermost axis, y and the grid's y and z over all
//                    others together, so that only rows, not elements, are divided into indices
//
// Neighbours for each thread, and tiles: see the files beside this one.
#include "src/kernel/elementwise_lowering.hpp"

namespace jitc::kernel {

void ElementwiseLowering::run() {
  declare();
  b_.program().streams = form_.streams;
  if (form_.tile_axis != kNoTiles) return tiles();
  if (form_.streams && form_.rank == 1) return streams();
  if (form_.rank > 1) return rows();
  if (form_.elems_per_thread > 1) return groups();
  single_elements();
}

// --- arguments

void ElementwiseLowering::declare() {
  for (size_t k = 0; k < function_.params.size(); ++k) {
    const sema::Variable& v = function_.vars[function_.params[k]];
    const DType dtype = l_.dtype_of(v.type);
    if (form_.params[k] == Walk::scalar) {
      params_.emplace_back(l_.scalar_param(v.name, dtype));
    } else if (form_.params[k] == Walk::index) {
      params_.emplace_back(declare_index(v.name));
    } else {
      params_.emplace_back(declare_array(v.name, dtype, form_.params[k], false));
    }
  }
  const std::vector<DType> results = result_dtypes(l_.types_, function_);
  for (size_t k = 0; k < results.size(); ++k) {
    results_.push_back(declare_array(result_name(k, results.size()), results[k], form_.results[k], true));
  }
  declare_steps();
}

ElementwiseLowering::Operand ElementwiseLowering::declare_array(const std::string& name, DType dtype, Walk walk,
                                                                bool is_result) {
  const Layout layout = form_.rank == 1 && walk == Walk::next ? Layout::c : Layout::any;
  Operand out{.argument = b_.array_argument(name, dtype, form_.rank, layout), .dtype = dtype, .walk = walk};
  const uint32_t data = b_.data_param(out.argument);
  const uint32_t group_bytes = static_cast<uint32_t>(size_bytes(dtype)) * form_.elems_per_thread;
  if (walk == Walk::next && form_.elems_per_thread > 1) b_.program().params[data].align_bytes = group_bytes;
  if (is_result && form_.streams) b_.program().params[data].align_bytes = kStreamAlign;
  out.data = b_.param(data);
  out.is_result = is_result;
  ArgumentInfo& info = b_.program().arguments[out.argument];
  (is_result ? info.written : info.read) = true;
  return out;
}

/// An index is a scalar, its first value, and behind the results what looks like an array: its steps for strides.
ElementwiseLowering::Operand ElementwiseLowering::declare_index(const std::string& name) {
  return {.dtype = DType::i8, .walk = Walk::index, .data = b_.param(b_.scalar_param(name, DType::i8))};
}

void ElementwiseLowering::declare_steps() {
  for (auto& param : params_) {
    auto* operand = std::get_if<Operand>(&param);
    if (operand == nullptr || operand->walk != Walk::index) continue;
    operand->argument = b_.array_argument("steps", DType::i8, form_.rank, Layout::any);
  }
}

ExprId ElementwiseLowering::extent(uint32_t axis) {
  if (extents_.empty()) {
    for (uint32_t k = 0; k < form_.rank; ++k) extents_.push_back(b_.extent_param(results_[0].argument, k));
  }
  return b_.param(extents_[axis]);
}

ExprId ElementwiseLowering::stride(const Operand& operand, uint32_t axis) {
  std::vector<uint32_t>& made = strides_[operand.argument];
  if (made.empty()) {
    for (uint32_t k = 0; k < form_.rank; ++k) made.push_back(b_.stride_param(operand.argument, k));
  }
  return b_.param(made[axis]);
}

// --- one element after the other

void ElementwiseLowering::single_elements() {
  ExprId index = position(b_.thread(ThreadValue::kGlobalIdx), "i");
  const ExprId size = extent(0);
  b_.if_then(less(index, size), [&] { element([&](const Operand& operand) { return at_index(operand, index); }); });
}

Value ElementwiseLowering::value_at(const Operand& operand, const MemRef& place) {
  if (operand.walk != Walk::index) return l_.load(place, operand.dtype);
  ExprId sum = operand.data;
  for (const AddressTerm& term : place.terms) sum = add(sum, mul(term.index, term.stride_bytes));
  return of_scalar(sum);
}

MemRef ElementwiseLowering::at_index(const Operand& operand, ExprId index) {
  MemRef ref{operand.data, {}};
  if (operand.walk == Walk::next) ref.terms.push_back({index, elem_bytes(operand)});
  if (operand.walk == Walk::strided || operand.walk == Walk::index) add_step(ref, index, stride(operand, 0));
  return ref;
}

/// A number of elements as a local; of 32 bits where the form allows that.
ExprId ElementwiseLowering::position(ExprId value, const char* name) {
  if (!form_.narrow) {
    const LocalId local = b_.add_local(name, scalar(DType::i8));
    b_.assign(local, value);
    return b_.local(local);
  }
  const LocalId local = b_.add_local(name, scalar(DType::i4));
  b_.assign(local, b_.convert(DType::i4, value));
  return b_.convert(DType::i8, b_.local(local));
}

void ElementwiseLowering::add_step(MemRef& ref, ExprId index, ExprId stride_bytes) {
  if (!form_.narrow) return void(ref.terms.push_back({index, stride_bytes}));
  const ExprId product = mul(b_.convert(DType::i4, index), b_.convert(DType::i4, stride_bytes));
  ref.terms.push_back({b_.convert(DType::i8, product), l_.number(1)});
}

// --- rows: any strides

void ElementwiseLowering::rows() {
  const uint32_t inner = form_.rank - 1U;
  const ExprId row = line_number();
  const LocalId begin = b_.add_local("begin", scalar(DType::i8));
  b_.assign(begin, mul(b_.thread(ThreadValue::kBlockIdx), b_.thread(ThreadValue::kBlockDim)));
  ExprId rows = extent(0);
  for (uint32_t axis = 1; axis < inner; ++axis) rows = mul(rows, extent(axis));
  const ExprId here = sub(extent(inner), b_.local(begin));
  const ExprId x = b_.thread(ThreadValue::kThreadIdx);
  b_.if_then(b_.binary(BinaryOp::kAnd, less(row, rows), less(x, here)), [&] {
    const DType type = form_.narrow ? DType::u4 : DType::u8, signed_type = form_.narrow ? DType::i4 : DType::i8;
    find_row(l_.split_number(b_.convert(type, row), 0, inner, signed_type, [&](uint32_t axis) { return extent(axis); }),
             signed_type);
    element(
        [&](const Operand& operand) { return in_row(operand, b_.local(begin), b_.thread(ThreadValue::kThreadIdx)); });
  });
}

ExprId ElementwiseLowering::line_of_blocks() {
  const auto along = [&](ThreadValue value, uint8_t axis) { return b_.thread(value, axis); };
  return add(mul(along(ThreadValue::kBlockIdx, 2), along(ThreadValue::kGridDim, 1)), along(ThreadValue::kBlockIdx, 1));
}

ExprId ElementwiseLowering::line_number() {
  const LocalId row = b_.add_local("row", scalar(DType::i8));
  b_.assign(row,
            add(mul(line_of_blocks(), b_.thread(ThreadValue::kBlockDim, 1)), b_.thread(ThreadValue::kThreadIdx, 1)));
  return b_.local(row);
}

ExprId ElementwiseLowering::row_step(const Operand& operand, uint32_t axis) {
  const ExprId step = stride(operand, axis);
  return operand.is_result && form_.streams ? b_.binary(BinaryOp::kAnd, step, l_.number(-kStreamAlign)) : step;
}

void ElementwiseLowering::find_row(const Indices& indices, DType type) {
  const auto find = [&](Operand& operand) {
    ExprId sum = l_.number(0);
    for (uint32_t axis = 0; axis < indices.size(); ++axis) {
      const ExprId term = mul(indices[axis], b_.convert(type, row_step(operand, axis)));
      sum = axis == 0 ? term : add(sum, term);
    }
    operand.offset = b_.add_local(b_.program().arguments[operand.argument].name + ".row", scalar(DType::i8));
    b_.assign(operand.offset, b_.convert(DType::i8, sum));
  };
  for (auto& param : params_) {
    if (auto* operand = std::get_if<Operand>(&param)) find(*operand);
  }
  for (Operand& operand : results_) find(operand);
}

MemRef ElementwiseLowering::in_row(const Operand& operand, ExprId first, ExprId beside) {
  MemRef ref{operand.data, {{b_.local(operand.offset), l_.number(1)}}};
  if (operand.walk == Walk::same) return ref;
  const ExprId step = operand.walk == Walk::next ? elem_bytes(operand) : stride(operand, form_.rank - 1U);
  ref.terms.push_back({first, step});
  ref.terms.push_back({beside, step});
  return ref;
}

// --- the function

std::vector<Value> ElementwiseLowering::compute(const std::vector<Value>& args, uint32_t site) {
  Value value = l_.inline_function(function_, args, site, function_.span);
  if (l_.types_.as_tuple(function_.return_type) == nullptr) return {std::move(value)};
  return std::move(value.items);
}

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

}  // namespace jitc::kernel
