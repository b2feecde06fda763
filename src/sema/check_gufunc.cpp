#include "src/sema/check_gufunc.hpp"

#include "src/sema/written_params.hpp"

namespace jitc::sema {

using source::DiagId;

namespace {

std::string count_text(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Of arrays and scalars; nothing for tuples.
std::optional<DType> dtype_of(const types::TypeTable& types, TypeId type) {
  if (const types::ArrayType* array = types.as_array(type)) return array->dtype;
  if (const types::Scalar* scalar = types.as_scalar(type)) return scalar->dtype;
  return std::nullopt;
}

bool has_rank_of(const types::TypeTable& types, TypeId type, const CoreShape& shape, bool is_output) {
  const types::ArrayType* array = types.as_array(type);
  if (array == nullptr) return shape.rank() == 0 && !is_output && types.as_scalar(type) != nullptr;
  return array->rank == std::max(shape.rank(), 1);
}

/// What the parameter's type should be.
std::string rank_help(TyperContext& context, TypeId type, const CoreShape& shape, bool is_output) {
  const std::optional<DType> dtype = dtype_of(context.types, type);
  if (!dtype) return "pass the items as parameters of their own";
  types::ArrayType wanted;
  wanted.dtype = *dtype;
  wanted.rank = std::max(shape.rank(), 1);
  const std::string array = context.types.to_string(context.types.array(std::move(wanted)));
  if (shape.rank() != 0) return fmt::format("write {}: it has the core dimensions {}", array, to_string(shape));
  if (is_output)
    return fmt::format("write {}: a result is stored to an array, that of a single element to its [0]", array);
  return fmt::format("write {} for the element itself, or {} for an array of one", name(*dtype), array);
}

}  // namespace

bool check_gufunc_params(TyperContext& context, const CoreLayout& layout, const syntax::FunctionDef& def) {
  if (layout.param_count() == def.params.size()) return true;
  context.sink
      .report(DiagId::kCoreLayoutArity, layout.span, count_text(layout.inputs.size(), "argument"),
              count_text(layout.outputs.size(), "result"), def.name, count_text(def.params.size(), "parameter"))
      .label(def.name_span, "defined here")
      .help("the parameters are the arguments, and then one for each result");
  return false;
}

bool check_gufunc_signature(TyperContext& context, const CoreLayout& layout, const syntax::FunctionDef& def,
                            const Signature& s) {
  bool ok = true;
  if (s.return_type.valid() && s.return_type != context.types.none()) {
    context.sink.report(DiagId::kGufuncReturnType, s.return_span, context.types.to_string(s.return_type))
        .help("write void, or leave the return type out; each result is a parameter")
        .fixit(s.return_span, "void");
    ok = false;
  }
  for (size_t k = layout.inputs.size(); k < s.params.size(); ++k) {
    const types::ArrayType* array = context.types.as_array(s.params[k].type);
    if (array == nullptr || array->layout != Layout::fortran) continue;
    context.sink.report(DiagId::kBadAxis, s.params[k].span)
        .help("the results of a gufunc are made in C order: write it with ':' alone");
    ok = false;
  }
  for (size_t k = 0; k < s.params.size(); ++k) {
    const bool is_output = k >= layout.inputs.size();
    const CoreShape& shape = layout.shape(k);
    if (has_rank_of(context.types, s.params[k].type, shape, is_output)) continue;
    context.sink
        .report(DiagId::kCoreRank, s.params[k].span, def.params[k].name, to_string(shape),
                context.types.to_string(s.params[k].type))
        .label(shape.span, fmt::format("'{}' in the layout", def.params[k].name))
        .help(rank_help(context, s.params[k].type, shape, is_output));
    ok = false;
  }
  return ok;
}

bool check_gufunc_writes(TyperContext& context, const TypedFunction& function, const syntax::FunctionDef& def) {
  bool ok = true;
  const size_t input_count = function.layout->inputs.size();
  for (const auto& [param, span] : written_params(function)) {
    if (param >= input_count) continue;
    context.sink.report(DiagId::kGufuncWritesInput, span, def.params[param].name)
        .label(def.params[param].span, "an argument")
        .help(
            "one argument may serve several calls of the function; only the results, which are the last parameters, "
            "are "
            "written");
    ok = false;
  }
  return ok;
}

}  // namespace jitc::sema
