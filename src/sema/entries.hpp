// What the host can call, typed for each of its signatures. Private to src/sema.
#pragma once

#include "src/sema/function_typer.hpp"

namespace jitc::sema {

/// Types the kernel or ufunc of that index for all its signatures and appends it to `out`; one with faults is left out.
void type_entry(TyperContext& context, uint32_t function, TypedModule& out);

/// What can be said of a function whose parameters have no types yet: reports only faults that no types would mend.
void check_untyped(TyperContext& context, uint32_t function, const syntax::FunctionDef& def, EntryKind kind);

}  // namespace jitc::sema
