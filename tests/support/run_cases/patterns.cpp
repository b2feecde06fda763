#include "tests/support/run_cases/patterns.hpp"

#include <fmt/format.h>

#include <iterator>

namespace jitc::cases {

namespace {

std::string complaint(const PatternCheck& check, size_t found) {
  switch (check.kind) {
    case PatternCheck::Kind::kHas: return found == 0 ? fmt::format("lacks {}", check.pattern) : "";
    case PatternCheck::Kind::kLacks: return found != 0 ? fmt::format("has {} × {}", found, check.pattern) : "";
    case PatternCheck::Kind::kCount:
      return found != check.count ? fmt::format("has {} × {}, expected {}", found, check.pattern, check.count) : "";
  }
  return "";
}

}  // namespace

std::vector<std::string> broken_patterns(const std::vector<PatternCheck>& checks, PatternCheck::Text text,
                                         const std::string& generated) {
  std::vector<std::string> broken;
  const char* what = text == PatternCheck::Text::kPtx ? "the PTX " : "the assembly ";
  for (const PatternCheck& check : checks) {
    if (check.text != text) continue;
    const auto begin = std::sregex_iterator(generated.begin(), generated.end(), check.regex);
    const std::string said = complaint(check, static_cast<size_t>(std::distance(begin, std::sregex_iterator())));
    if (!said.empty()) broken.push_back(what + said);
  }
  return broken;
}

}  // namespace jitc::cases
