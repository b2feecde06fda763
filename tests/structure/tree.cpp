#include "tests/structure/tree.hpp"

#include <algorithm>
#include <fstream>

namespace jitc::structure {

namespace fs = std::filesystem;

fs::path root() { return JITC_SOURCE_TREE; }

std::vector<std::string> folders() {
  std::vector<std::string> found = {"include/jitc"};
  for (const char* top : {"src", "runtime"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(root() / top)) {
      if (entry.is_directory()) found.push_back(std::string(top) + "/" + entry.path().filename().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace jitc::structure
