#include "src/sema/element_type.hpp"

#include "src/types/type_names.hpp"

namespace jitc::sema {

namespace {

DType python_type(PythonCast cast) {
  switch (cast) {
    case PythonCast::kInt: return DType::i8;
    case PythonCast::kFloat: return DType::f8;
    case PythonCast::kBool: return DType::b1;
  }
  return DType::f8;
}

}  // namespace

std::optional<DType> dtype_named_by(const syntax::Ast& ast, syntax::ExprId expr, const std::optional<Entity>& entity) {
  if (const auto* text = std::get_if<syntax::StringLit>(&ast.exprs[expr].kind)) {
    if (const auto dtype = types::scalar_type_from_name(text->value)) return dtype;
    const Builtin* row = find_builtin(Module::kPython, text->value);
    return row && row->rule == Rule::kPythonCast ? std::optional(python_type(row->as<PythonCast>())) : std::nullopt;
  }
  if (!entity) return std::nullopt;
  if (const auto* t = std::get_if<TypeEntity>(&*entity)) return t->dtype;
  const auto* b = std::get_if<BuiltinEntity>(&*entity);
  if (b == nullptr || b->builtin->rule != Rule::kPythonCast) return std::nullopt;
  return python_type(b->builtin->as<PythonCast>());
}

}  // namespace jitc::sema
