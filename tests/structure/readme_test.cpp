#include <catch2/catch.hpp>

#include "tests/structure/tree.hpp"

namespace jitc::structure {
namespace {

/// include/jitc is documented by the manual.
TEST_CASE("Every folder of the compiler and the runtime says what it is") {
  for (const std::string& folder : folders()) {
    if (folder == "include/jitc") continue;
    CAPTURE(folder);
    CHECK(std::filesystem::exists(root() / folder / "README.md"));
  }
}

}  // namespace
}  // namespace jitc::structure
