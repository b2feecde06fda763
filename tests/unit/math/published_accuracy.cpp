#include "tests/unit/math/published_accuracy.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace jitc::math_test {

std::map<std::string, Bounds, std::less<>> published_accuracy() {
  std::ifstream file(JITC_SOURCE_ROOT "/docs/math-accuracy.md");
  if (!file) throw std::runtime_error("docs/math-accuracy.md cannot be read");
  std::map<std::string, Bounds, std::less<>> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string bar, name;
    Bounds bounds{};
    if (fields >> bar >> name >> bar >> bounds.f4_ulp >> bar >> bounds.f8_ulp) rows[name] = bounds;
  }
  return rows;
}

}  // namespace jitc::math_test
