// What the host's processor can do, and the loops in its machine code.
#pragma once

#include <fstream>
#include <regex>
#include <sstream>
#include <string>

namespace jitc::tests {

inline bool host_has(const std::string& flag) {
  std::stringstream text;
  text << std::ifstream("/proc/cpuinfo").rdbuf();
  return text.str().find(" " + flag) != std::string::npos;
}

/// The instructions between the label of a loop and its backward jump that hold `pattern`; empty when there is none.
inline std::string loop_with(const std::string& assembly, const std::string& pattern) {
  std::istringstream lines(assembly);
  std::string block;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(".LBB", 0) == 0) block.clear();
    block += line + "\n";
    if (std::regex_search(line, std::regex(R"(^\s+j)")) && std::regex_search(block, std::regex(pattern))) return block;
  }
  return "";
}

}  // namespace jitc::tests
