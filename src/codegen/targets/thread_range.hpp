// The threads of a row that pass the thread guard, as a range of x.
#pragma once

#include "src/codegen/function_emitter.hpp"

namespace jitc::codegen {

struct ThreadRange {
  llvm::Value *begin, *end;  ///< end <= begin: no thread
};

/// Emits the range [0, block_dim_x) cut by the bounds of the program's guard, empty where a condition on the row
/// fails; the emitter's Ifs then leave those tests out. To be called where a row's loop is about to begin.
ThreadRange emit_thread_range(FunctionEmitter& emitter, llvm::Value* block_idx_x, llvm::Value* block_dim_x);

}  // namespace jitc::codegen
