// The kernel of a generalised ufunc: the function inlined, one thread for each of its calls.
//
//   i = cuda.grid(1)
//   if i < number of calls: f(a[i, :, :], b[i, :], out[i, :])
//
// An array has its loop axes first, which are as many for all, and then those of its core. A symbol of the layout is
// one parameter, whatever number of arrays has it, and a constant extent is none.
#include <map>

#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

/// The lowering of one form.
class GufuncLowering {
 public:
  GufuncLowering(Lowerer& lowerer, const sema::TypedFunction& function, const GufuncForm& form)
      : l_(lowerer), b_(lowerer.b_), function_(function), layout_(*function.layout), form_(form) {}

  void run() {
    for (size_t k = 0; k < function_.params.size(); ++k) declare(k);
    const DType type = form_.narrow ? DType::u4 : DType::u8;
    const LocalId call = b_.add_local("i", scalar(DType::i8));
    b_.assign(call, b_.thread(ThreadValue::kGlobalIdx));
    ExprId count = loop_extent(0);
    for (uint32_t axis = 1; axis < form_.loop_rank; ++axis) {
      count = b_.binary(BinaryOp::kMul, count, loop_extent(axis));
    }
    b_.if_then(b_.compare(CompareOp::kLt, b_.local(call), count), [&] {
      indices_ = l_.split_number(b_.convert(type, b_.local(call)), 0, form_.loop_rank, DType::i8,
                                 [&](uint32_t axis) { return loop_extent(axis); });
      std::vector<Value> args;
      for (size_t k = 0; k < operands_.size(); ++k) args.push_back(argument(k));
      l_.inline_function(function_, args, 0, function_.span);
    });
    note_accesses();
  }

 private:
  using Operand = std::variant<Value, uint32_t>;  ///< a scalar, or the number of an array among the kernel's arguments

  // --- parameters ---

  void declare(size_t k) {
    const sema::Variable& v = function_.vars[function_.params[k]];
    if (k < form_.is_scalar.size() && form_.is_scalar[k]) {
      operands_.emplace_back(l_.scalar_param(v.name, dtype(k)));
      return;
    }
    const int rank = form_.loop_rank + layout_.shape(k).rank();
    const uint32_t argument = b_.array_argument(v.name, dtype(k), rank);
    operands_.emplace_back(argument);
    data_.emplace(argument, b_.data_param(argument));
    if (k == layout_.inputs.size()) {
      for (uint32_t axis = 0; axis < form_.loop_rank; ++axis) loops_.push_back(b_.extent_param(argument, axis));
    }
    std::vector<uint32_t>& strides = strides_[argument];
    for (int axis = 0; axis < rank; ++axis) {
      strides.push_back(b_.stride_param(argument, static_cast<uint32_t>(axis)));
    }
    declare_symbols(layout_.shape(k), argument);
  }

  void declare_symbols(const sema::CoreShape& shape, uint32_t argument) {
    for (uint32_t axis = 0; axis < shape.dims.size(); ++axis) {
      const std::string& symbol = shape.dims[axis].symbol;
      if (symbol.empty() || symbols_.contains(symbol)) continue;
      symbols_.emplace(symbol, b_.extent_param(argument, form_.loop_rank + axis));
    }
  }

  const types::ArrayType* array_type(size_t k) const {
    return l_.types_.as_array(function_.vars[function_.params[k]].type);
  }
  DType dtype(size_t k) const {
    const types::ArrayType* array = array_type(k);
    return array != nullptr ? array->dtype : l_.dtype_of(function_.vars[function_.params[k]].type);
  }
  /// Of the calls' axes, which are those of every result.
  ExprId loop_extent(uint32_t axis) { return b_.param(loops_[axis]); }
  ExprId extent(const sema::CoreDim& dim) {
    return dim.symbol.empty() ? l_.number(dim.extent) : b_.param(symbols_.at(dim.symbol));
  }

  // --- which call this is ---

  /// The first element of this call's core.
  MemRef core_of(uint32_t argument) {
    MemRef out{b_.param(data_.at(argument)), {}};
    for (uint32_t axis = 0; axis < form_.loop_rank; ++axis) {
      out.terms.push_back({indices_[axis], b_.param(strides_.at(argument)[axis])});
    }
    return out;
  }

  // --- what the function sees ---

  Value argument(size_t k) {
    if (const auto* value = std::get_if<Value>(&operands_[k])) return *value;
    const uint32_t argument = std::get<uint32_t>(operands_[k]);
    const types::ArrayType* type = array_type(k);
    if (type == nullptr) {
      b_.program().arguments[argument].read = true;
      return l_.load(core_of(argument), dtype(k));
    }
    ArrayValue array;
    array.name = b_.program().arguments[argument].name;
    array.dtype = type->dtype;
    array.argument = argument;
    array.data = b_.address(core_of(argument));
    for (const sema::CoreDim& dim : layout_.shape(k).dims) array.extents.push_back(extent(dim));
    if (array.extents.empty()) array.extents.push_back(l_.number(1));  // a single element
    for (uint32_t axis = 0; axis < array.extents.size(); ++axis) {
      array.strides.push_back(core_stride(k, argument, *type, array.extents, axis));
    }
    Value out;
    out.array = std::move(array);
    return out;
  }

  ExprId core_stride(size_t k, uint32_t argument, const types::ArrayType& type, const std::vector<ExprId>& extents,
                     uint32_t axis) {
    const bool is_free = type.layout == Layout::any && !form_.contiguous && layout_.shape(k).rank() != 0;
    if (is_free) return b_.param(strides_.at(argument)[form_.loop_rank + axis]);
    return l_.c_stride(extents, axis, type.dtype, type.layout == Layout::fortran);
  }

  /// No input is written (sema sees to that), though a store through a name that may be several arrays counts for all.
  void note_accesses() {
    auto& arguments = b_.program().arguments;
    for (size_t k = 0; k < arguments.size(); ++k) arguments[k].written = k >= layout_.inputs.size();
  }

  Lowerer& l_;
  Builder& b_;
  const sema::TypedFunction& function_;
  const sema::CoreLayout& layout_;
  const GufuncForm& form_;
  std::vector<Operand> operands_;                      ///< by parameter of the function
  std::map<uint32_t, uint32_t> data_;                  ///< by argument: the parameter
  std::map<uint32_t, std::vector<uint32_t>> strides_;  ///< by argument: of all axes
  std::map<std::string, uint32_t> symbols_;
  std::vector<uint32_t> loops_;
  std::vector<ExprId> indices_;
};

void Lowerer::lower_gufunc(const sema::TypedFunction& function, const GufuncForm& form) {
  GufuncLowering(*this, function, form).run();
}

GufuncForm plain_gufunc_form(const sema::TypedFunction& function) {
  return {.is_scalar = std::vector<bool>(function.layout->inputs.size()), .loop_rank = 1, .contiguous = true};
}

}  // namespace jitc::kernel
