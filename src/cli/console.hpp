// The two streams of a command.
#pragma once

#include <string_view>

namespace jitc::cli {

/// Results. Throws io::InputError when the text cannot be written; a reader that went away (head) is no error: the rest
/// is dropped.
void write_stdout(std::string_view text);

/// Notes and messages; failures to write them are ignored.
void write_stderr(std::string_view text);

/// `jitc: error: MESSAGE` and, where there is one, `  help: HELP`.
void report_error(std::string_view message, std::string_view help = {});

}  // namespace jitc::cli
