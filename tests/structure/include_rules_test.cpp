#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <regex>
#include <sstream>

#include "tests/structure/tree.hpp"

namespace jitc::structure {
namespace {

using Rules = std::map<std::string, std::vector<std::string>>;

Rules read_rules() {
  Rules rules;
  for (const std::string& line : lines_of(root() / "tests/structure/include_rules.txt")) {
    if (line.empty() || line.front() == '#') continue;
    const size_t colon = line.find(':');
    std::istringstream words(line.substr(colon + 1));
    std::vector<std::string>& allowed = rules[line.substr(0, colon)];
    for (std::string word; words >> word;) allowed.push_back(word);
  }
  return rules;
}

/// The path of an include line from the root; empty for other lines, the standard library and third parties but LLVM.
std::string included_path(const std::string& line) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
  std::smatch match;
  if (!std::regex_match(line, match, kInclude)) return {};
  const std::string path = match[1];
  const std::string top = path.substr(0, path.find('/'));
  if (top == "jitc") return "include/" + path;
  if (top == "llvm" || top == "llvm-c") return "llvm";
  return top == "src" || top == "runtime" || top == "tests" || top == "bench" ? path : std::string();
}

bool is_allowed(const std::string& path, const std::string& folder, const std::vector<std::string>& allowed) {
  const auto covers = [&](const std::string& entry) { return path == entry || path.rfind(entry + "/", 0) == 0; };
  return covers(folder) || std::any_of(allowed.begin(), allowed.end(), covers);
}

std::vector<std::string> wrong_includes(const std::string& folder, const std::vector<std::string>& allowed) {
  std::vector<std::string> wrong;
  for (const std::filesystem::path& file : files_below(root() / folder)) {
    for (const std::string& line : lines_of(file)) {
      const std::string path = included_path(line);
      if (path.empty() || is_allowed(path, folder, allowed)) continue;
      wrong.push_back(std::filesystem::relative(file, root()).string() + " includes " + path);
    }
  }
  return wrong;
}

TEST_CASE("Include lines follow the direction of the design") {
  for (const auto& [folder, allowed] : read_rules()) {
    if (std::filesystem::exists(root() / folder)) CHECK(wrong_includes(folder, allowed) == std::vector<std::string>{});
  }
}

TEST_CASE("The table of include directions names exactly the folders that exist") {
  std::vector<std::string> named;
  for (const auto& [folder, allowed] : read_rules()) named.push_back(folder);
  CHECK(named == folders());
}

TEST_CASE("The reader of include lines sees what it must") {
  CHECK(included_path("#include \"src/base/match.hpp\"") == "src/base/match.hpp");
  CHECK(included_path("  # include <jitc/jitc.hpp>  // why") == "include/jitc/jitc.hpp");
  CHECK(included_path("#include <llvm/IR/Module.h>") == "llvm");
  CHECK(included_path("#include <vector>").empty());
  CHECK_FALSE(is_allowed("src/basement/x.hpp", "src/source", {"src/base"}));
}

}  // namespace
}  // namespace jitc::structure
