// The command line of accuracy_table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace jitc::accuracy {

struct Options {
  bool help = false;
  std::vector<std::string> functions;   ///< empty: all
  std::vector<std::string> types;       ///< empty: all
  std::vector<std::string> exhaustive;  ///< functions of f4 to try on all arguments, instead of the rest
  int points = 240000;                  ///< random ones of each function of f4 and f8
  uint32_t step = 61;                   ///< of the bit patterns of f4 that are tried besides, one parameter
  uint64_t quick_points = 20000000;     ///< random ones of f8, and of two parameters, that libm looks at first
  uint64_t seed = 0;                    ///< 0: the test's
  unsigned threads = 0;                 ///< 0: one for each processor
  std::string page;                     ///< whose table is brought up to date; empty: printed
};

/// Throws std::runtime_error with a sentence for the user.
Options parse_options(const std::vector<std::string>& args);

extern const char* const kHelp;

}  // namespace jitc::accuracy
