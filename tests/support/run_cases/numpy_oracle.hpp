// Expected values from NumPy: all `=== numpy` sections of a run in one Python process.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "src/io/array_spec.hpp"

namespace jitc::cases {

struct NumpyJob {
  std::string script;
  std::vector<std::pair<std::string, io::ArgValue>> inputs;  ///< by argument name, as they are before the launch
  std::vector<std::string> outs;                             ///< names that the script assigns
};

struct NumpyResult {
  std::string error;  ///< empty: none
  std::vector<io::HostArray> outs;
};

/// One result per job. When Python or NumPy is missing, every result says so: an oracle is never skipped.
std::vector<NumpyResult> run_numpy(const std::vector<NumpyJob>& jobs);

}  // namespace jitc::cases
