// docs/math-accuracy.md is both what users read and what the test holds the library to.
#pragma once

#include <map>
#include <string>

namespace jitc::math_test {

struct Bounds {
  double f4_ulp, f8_ulp;
};

/// The table's rows `| name | f4 | f8 | …` by function name; throws std::runtime_error if the file cannot be read.
std::map<std::string, Bounds, std::less<>> published_accuracy();

}  // namespace jitc::math_test
