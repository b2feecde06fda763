// The device math library: every function of math.def as target-neutral LLVM bitcode, embedded in the program.
#pragma once

#include <string_view>

namespace jitc::math {

/// LLVM 19 bitcode that defines `jitc_<name>_f4` and `jitc_<name>_f8` for each row of math.def, `jitc_<name>` for each
/// row of typed.def, `jitc_ipow` and `jitc_upow`. It has no triple, no data layout, no undefined function and no
/// fast-math flag; roots are external, helpers and tables internal. Link by need, then internalise. Lives as long as
/// the program; 16-byte aligned, and a zero byte follows it (llvm::MemoryBuffer asks for one).
std::string_view bitcode();

}  // namespace jitc::math
