// The source tree as files and lines.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace jitc::structure {

std::filesystem::path root();
/// Folders one level below src/ and runtime/, as "src/base", and "include/jitc".
std::vector<std::string> folders();
/// All files below a folder, sorted.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);
std::vector<std::string> lines_of(const std::filesystem::path& file);

}  // namespace jitc::structure
