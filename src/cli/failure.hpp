// How a command gives up: an error of use, with what to do about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jitc::cli {

/// Throws io::InputError(argument), which ends the command with `jitc: error: message`, the help line and exit code 1.
[[noreturn]] void fail(const std::string& message, const std::string& help = {});

/// "did you mean 'axpy'?" when a candidate is near, else "LABEL: a, b, c".
std::string suggest(std::string_view name, const std::vector<std::string>& candidates, std::string_view label);

}  // namespace jitc::cli
