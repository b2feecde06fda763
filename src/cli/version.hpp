// What this build is.
#pragma once

#include <string>

namespace jitc::cli {

/// "0.1.0"
std::string jitc_version();
/// "19.1.7"
std::string llvm_version();
/// "jitc 0.1.0 (LLVM 19.1.7)".
std::string version_text();

}  // namespace jitc::cli
