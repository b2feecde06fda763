// The ways to write the element type of an array: float32, np.float32, "float32", float.
#pragma once

#include <optional>

#include "src/sema/file_scope.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::sema {

/// The scalar type that an expression names; `entity` is what it resolves to. Nothing when it names none.
std::optional<DType> dtype_named_by(const syntax::Ast& ast, syntax::ExprId expr, const std::optional<Entity>& entity);

}  // namespace jitc::sema
