// Code is made without the program's names, and gets them at the end.
#pragma once

#include <string>

#include "jitc/artifact.hpp"

namespace jitc::codegen {

/// Calls the entry `from` of a PTX text or an object `to`, and with it all names that begin so.
void rename_entry(std::string& code, Artifact::Kind kind, const std::string& from, const std::string& to);

}  // namespace jitc::codegen
