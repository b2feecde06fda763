// What a generalised ufunc must be beyond what a kernel is. Private to src/sema.
#pragma once

#include "src/sema/function_typer.hpp"

namespace jitc::sema {

/// The function has a parameter for each shape of the layout. False after a report, as the others.
bool check_gufunc_params(TyperContext& context, const CoreLayout& layout, const syntax::FunctionDef& def);

/// The types have the ranks of their cores, and nothing is returned.
bool check_gufunc_signature(TyperContext& context, const CoreLayout& layout, const syntax::FunctionDef& def,
                            const Signature& signature);

/// The body writes to its results alone: one argument may be that of several cores.
bool check_gufunc_writes(TyperContext& context, const TypedFunction& function, const syntax::FunctionDef& def);

}  // namespace jitc::sema
