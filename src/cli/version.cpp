#include "src/cli/version.hpp"

namespace jitc::cli {

std::string jitc_version() { return JITC_VERSION; }

std::string llvm_version() { return JITC_LLVM_VERSION; }

std::string version_text() { return "jitc " JITC_VERSION " (LLVM " JITC_LLVM_VERSION ")"; }

}  // namespace jitc::cli
