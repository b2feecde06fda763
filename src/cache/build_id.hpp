// Which build of jitc this is.
#pragma once

#include <string>

namespace jitc::cache {

/// Of all source files of the library and the version of LLVM: builds of one id make the same code of the same program.
/// The command and programs that embed the library share it.
std::string build_id();

}  // namespace jitc::cache
