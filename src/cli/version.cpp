#include "src/cli/version.hpp"

namespace jitc::cli {

std::string version_text() { return "jitc " JITC_VERSION " (LLVM " JITC_LLVM_VERSION ")"; }

}  // namespace jitc::cli
