// The PTX texts in samples/: what LLVM and nvcc print for kernels of this project, and one written by hand.
#pragma once

#include <string>
#include <vector>

namespace jitc::emulator_test {

struct Sample {
  std::string name;
  std::string text;
};

/// All of them, by name.
const std::vector<Sample>& samples();

/// What loading the text throws, or "no error".
std::string load_error(const std::string& text);

}  // namespace jitc::emulator_test
