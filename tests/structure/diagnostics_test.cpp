#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "src/source/diagnostic.hpp"
#include "tests/structure/tree.hpp"

namespace jitc::structure {
namespace {

std::string code_of(size_t row) { return fmt::format("JT{:04}", source::info(static_cast<source::DiagId>(row)).code); }

/// The expect section of a case.
std::string expected_text(const std::filesystem::path& file) {
  std::string text;
  bool in_expect = false;
  for (const std::string& line : lines_of(file)) {
    if (line.rfind("=== ", 0) == 0)
      in_expect = line == "=== expect";
    else if (in_expect)
      text += line + "\n";
  }
  return text;
}

/// Codes that a case of their own name shows: JT0101_….case whose expected text holds JT0101.
std::set<std::string> shown_codes() {
  std::set<std::string> shown;
  for (const std::filesystem::path& file : files_below(root() / "tests/cases/diagnostics")) {
    const std::string code = file.filename().string().substr(0, 6);
    if (expected_text(file).find("[" + code + "]") != std::string::npos) shown.insert(code);
  }
  return shown;
}

TEST_CASE("Every diagnostic has a case that shows its exact text") {
  const std::set<std::string> shown = shown_codes();
  std::vector<std::string> missing;
  for (size_t row = 0; row < source::diag_count(); ++row) {
    if (shown.count(code_of(row)) == 0) {
      missing.push_back(code_of(row) + " " + std::string(source::info(static_cast<source::DiagId>(row)).name));
    }
  }
  CHECK(missing == std::vector<std::string>{});
}

TEST_CASE("No two diagnostics share a code") {
  std::set<std::string> codes;
  for (size_t row = 0; row < source::diag_count(); ++row) CHECK(codes.insert(code_of(row)).second);
}

}  // namespace
}  // namespace jitc::structure
