// The kernel that a ufunc becomes: one thread for each element, the scalar function inlined.
#include "src/kernel/lowerer.hpp"

namespace jitc::kernel {

UfuncForm all_arrays(const sema::TypedFunction& function) { return {std::vector<bool>(function.params.size(), true)}; }

KernelProgram lower_ufunc(const source::SourceFile& file, const types::TypeTable& types,
                          const sema::TypedFunction& function, const UfuncForm& form, const LowerOptions& options) {
  return Lowerer(file, types, options).run_ufunc(function, form);
}

KernelProgram Lowerer::run_ufunc(const sema::TypedFunction& function, const UfuncForm& form) {
  JITC_CHECK(form.is_array.size() == function.params.size(), "a form of another ufunc than " + function.name);
  Frame frame;
  frame.fn = &function;
  frame_ = &frame;
  b_.at(function.span);
  const LocalId i = b_.add_local("i", scalar(DType::i8));
  b_.assign(i, b_.thread(ThreadValue::kGlobalIdx));

  std::vector<Value> args(function.params.size());
  for (size_t k = 0; k < args.size(); ++k) args[k] = ufunc_argument(function, k, form.is_array[k], i);
  const uint32_t out = b_.array_argument("out", dtype_of(function.return_type), 1, Layout::c);
  b_.program().arguments[out].written = true;
  const ExprId data = b_.param(b_.data_param(out)), size = b_.param(b_.extent_param(out, 0));
  b_.if_then(b_.compare(CompareOp::kLt, b_.local(i), size), [&] {
    // All arguments are loaded before the store: the result may lie over one of them.
    const Value value = inline_function(function, args, 0, function.span);
    store(b_.element(data, b_.local(i), dtype_of(function.return_type)), value);
  });
  return finish(function);
}

/// What a parameter is for element `i` of the result.
Value Lowerer::ufunc_argument(const sema::TypedFunction& function, size_t index, bool is_array, LocalId i) {
  const sema::Variable& v = function.vars[function.params[index]];
  const DType dtype = dtype_of(v.type);
  if (!is_array) return scalar_param(v.name, dtype);
  const uint32_t argument = b_.array_argument(v.name, dtype, 1, Layout::c);
  b_.program().arguments[argument].read = true;
  return load(b_.element(b_.param(b_.data_param(argument)), b_.local(i), dtype), dtype);
}

}  // namespace jitc::kernel
