// print() as a printf of one line: the same format for both targets.
#pragma once

#include <string>
#include <vector>

#include "src/codegen/function_emitter.hpp"

namespace jitc::codegen {

/// Format and arguments, each an i64: "%lld %llu %f %s %c" are all there is. Strings are addresses of `text_space`,
/// cast to generic ones. Floats are widened; any NaN is the positive one, whose text is the same everywhere.
struct PrintCall {
  llvm::Value* format = nullptr;
  std::vector<llvm::Value*> args;
};
PrintCall emit_print_call(FunctionEmitter& emitter, const kernel::Print& stmt, unsigned text_space);

/// The arguments stored to an array of the entry's frame; its address. Null where there are none.
llvm::Value* emit_print_buffer(FunctionEmitter& emitter, const PrintCall& call);

}  // namespace jitc::codegen
