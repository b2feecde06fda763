// Every row of the instruction table, written out.
#pragma once

#include <string>

namespace jitc::emulator_test {

/// A kernel with each row's instructions on registers of the right types: every alternative of what may not be left
/// out, without what may.
std::string table_text();

}  // namespace jitc::emulator_test
