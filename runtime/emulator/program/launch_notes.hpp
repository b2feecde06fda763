// What comments above an entry say of its parameters, for reports: the names that its author gave them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// Reads the lines that jitc writes above an entry (docs/cuda.md, "Reading the PTX"); `params` are the entry's. Nothing
/// where there are none, or where they do not fit the entry: what a comment says is never an error.
LaunchNotes read_launch_notes(std::string_view comment, const std::vector<ParamPlace>& params);

}  // namespace jitc::emulator
