// The command line of random_arrays.
#pragma once

#include "tests/random_arrays/check_program.hpp"

namespace jitc::random_arrays {

struct Options {
  uint64_t seed = 0, count = 100;
  std::vector<Where> where{Where::reference};
  /// One in so many programs: in the GPU's forms instead, and beside that on the CPU and the emulated GPU; 0: none.
  uint64_t gpu_every = 0, cpu_every = 0, emulator_every = 0;
  uint64_t show = 10;  ///< kinds of differences that are printed
  bool shrink = false;
  bool fork = false;               ///< each check in a process of its own
  bool print = false;              ///< every program
  bool expect_difference = false;  ///< the first one ends the run well, if it shrinks
  Mistake mistake = Mistake::none;
};

/// Throws std::runtime_error with words for the user.
Options parse_options(const std::vector<std::string>& args);

}  // namespace jitc::random_arrays
