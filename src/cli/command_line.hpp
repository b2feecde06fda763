// From the words of a command line to an exit code.
#pragma once

namespace jitc::cli {

/// Everything that `jitc` does. Throws nothing.
int run_command_line(int argc, const char* const* argv);

}  // namespace jitc::cli
