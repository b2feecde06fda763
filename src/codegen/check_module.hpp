// The allow-lists: what may be left of calls when a module goes to a back end.
#pragma once

#include "src/codegen/codegen.hpp"
#include "src/codegen/llvm.hpp"

namespace jitc::codegen {

/// Throws InternalError for a call of an intrinsic that the back end is not known to select, and for any external
/// function. With libdevice, the intrinsics that it uses are known too.
void check_module(const llvm::Module& module, Target::Kind kind, bool has_libdevice = false);

}  // namespace jitc::codegen
