// Evaluates expressions outside functions: file constants and the options of decorators.
#pragma once

#include <optional>

#include "src/sema/file_scope.hpp"
#include "src/source/diagnostic.hpp"
#include "src/syntax/ast.hpp"

namespace jitc::sema {

/// The value of a constant expression; reports what is not one and returns nothing.
std::optional<StaticValue> evaluate_static(const syntax::Ast& ast, const FileScope& scope, syntax::ExprId expr,
                                           source::DiagnosticSink& sink);

/// Folds a call of a built-in on constants; nothing when the built-in has no constant form.
std::optional<StaticValue> fold_builtin(const Builtin& builtin, const std::vector<StaticValue>& args);

/// The type in which constants meet: types::join, looking at whether ints fit a typed partner.
types::Scalar join_constants(const StaticValue& a, const StaticValue& b);

}  // namespace jitc::sema
