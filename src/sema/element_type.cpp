#include "src/sema/element_type.hpp"

#include "src/types/type_names.hpp"

namespace jitc::sema {

namespace {

/// The type that Python's own names stand for: int, float, bool, complex.
std::optional<DType> python_type(const Builtin* builtin) {
  if (builtin == nullptr) return std::nullopt;
  if (builtin->rule == Rule::kComplex) return DType::c16;
  if (builtin->rule != Rule::kPythonCast) return std::nullopt;
  switch (builtin->as<PythonCast>()) {
    case PythonCast::kInt: return DType::i8;
    case PythonCast::kFloat: return DType::f8;
    case PythonCast::kBool: return DType::b1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DType> dtype_named_by(const syntax::Ast& ast, syntax::ExprId expr, const std::optional<Entity>& entity) {
  if (const auto* text = std::get_if<syntax::StringLit>(&ast.exprs[expr].kind)) {
    if (const auto dtype = types::scalar_type_from_name(text->value)) return dtype;
    return python_type(find_builtin(Module::kPython, text->value));
  }
  if (!entity) return std::nullopt;
  if (const auto* t = std::get_if<TypeEntity>(&*entity)) return t->dtype;
  const auto* b = std::get_if<BuiltinEntity>(&*entity);
  return python_type(b ? b->builtin : nullptr);
}

}  // namespace jitc::sema
