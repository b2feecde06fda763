// The grammar of einsum: letters for the axes of each operand and of the result.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitc::sema {

/// One letter for each axis. Axes that an ellipsis stands for have letters that no text can write.
struct EinsumLabels {
  std::vector<std::string> inputs;
  std::string output;
};

/// inputs = [letters] {"," [letters]} ["->" [letters]], with blanks anywhere and at most one "..." in each part.
/// Without an output: the axes of ellipses, then the letters that occur once, in the order of the alphabet. Nothing
/// where it is wrong; `problem` says what would be right.
std::optional<EinsumLabels> parse_einsum(std::string_view text, const std::vector<int>& ranks, std::string& problem);

}  // namespace jitc::sema
