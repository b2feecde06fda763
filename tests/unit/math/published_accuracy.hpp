// docs/accuracy.md is both what users read and what the test holds the library to.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace jitc::math_test {

/// The first line of the table of bounds.
inline constexpr const char* kHeadOfBounds = "| function | f4 | f8 | |";

struct Bounds {
  double f4_ulp, f8_ulp;
};

/// That table's rows by function name; throws std::runtime_error if the file or the table cannot be read.
std::map<std::string, Bounds, std::less<>> published_accuracy();

}  // namespace jitc::math_test
