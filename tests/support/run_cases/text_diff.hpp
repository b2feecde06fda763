#pragma once

#include <string>

namespace jitc::cases {

/// Lines that only `expected` has with `-`, those that only `actual` has with `+`, the others with a blank.
std::string text_diff(const std::string& expected, const std::string& actual);

}  // namespace jitc::cases
