// A file of faults/: two kernels and what is to be said of one.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/emulator/driver/settings.hpp"

namespace jitc::emulator_test {

struct FaultArgument {
  std::string name;
  std::string value;           ///< a number, or how the array is filled
  std::string dtype;           ///< "f4"; empty for a number
  std::vector<int64_t> shape;  ///< of an array
};

struct FaultCase {
  std::string name;  ///< of the file
  std::string text;
  bool is_dsl = true;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t shared_bytes = 0;
  bool is_cooperative = false;
  emulator::driver::Checks checks = {true, true};
  std::vector<FaultArgument> arguments;
  std::string report;
};

/// All of the folder, by name. Throws std::runtime_error for a file that says something unknown.
std::vector<FaultCase> read_fault_cases(const std::string& folder);

}  // namespace jitc::emulator_test
