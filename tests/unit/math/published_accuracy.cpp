#include "tests/unit/math/published_accuracy.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace jitc::math_test {

std::map<std::string, Bounds, std::less<>> published_accuracy() {
  std::ifstream file(JITC_SOURCE_ROOT "/docs/accuracy.md");
  if (!file) throw std::runtime_error("docs/accuracy.md cannot be read");
  std::map<std::string, Bounds, std::less<>> rows;
  std::string line;
  while (std::getline(file, line) && line != kHeadOfBounds) {}
  // The table ends with the first line that is none of its rows: other tables of the page have other numbers.
  while (std::getline(file, line) && line.rfind("|", 0) == 0) {
    std::istringstream fields(line);
    std::string bar, name;
    Bounds bounds{};
    if (fields >> bar >> name >> bar >> bounds.f4_ulp >> bar >> bounds.f8_ulp) rows[name] = bounds;
  }
  if (rows.empty()) throw std::runtime_error("docs/accuracy.md has no table of bounds");
  return rows;
}

}  // namespace jitc::math_test
