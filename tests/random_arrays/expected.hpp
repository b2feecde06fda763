// What the plain evaluator makes of a program.
#pragma once

#include <string>
#include <vector>

#include "tests/random_arrays/evaluator.hpp"
#include "tests/random_arrays/memory.hpp"

namespace jitc::random_arrays {

/// Its results, and its arguments' memory afterwards; or that the call fails.
struct Expected {
  bool fails = false;
  std::string failure;
  std::vector<Dense> results, args;
};

/// `memories` are those of the parameters; the text has no errors.
Expected evaluate(const std::string& text, const Program& program, const std::vector<Memory>& memories,
                  Mistake mistake);

/// All that lie in the bytes, one behind the other.
std::vector<Number> numbers_of(DType dtype, const std::vector<std::byte>& bytes);

std::string text_of(DType dtype, const Number& number);
/// What an argument is, as tests/cases have it: "arg x: f8[2]{1, 0.25}".
std::string argument_text(const Parameter& parameter);

}  // namespace jitc::random_arrays
