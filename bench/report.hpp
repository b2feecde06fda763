// The table and the JSON file of a benchmark.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/measure.hpp"

namespace jitc::bench {

/// One comparison. Less is better; `aim` is the ratio to stay under.
struct Row {
  std::string what;
  std::string peer_name;  ///< empty: no peer on this machine
  Samples ours;
  std::optional<Samples> peer;
  std::optional<double> aim;
};

/// Prints the rows to stdout:
///   what                      peer             ours ms      peer ms      ratio       aim
///   axpy, text to PTX         NVRTC 13.0       2.81 / 2.95  41.2 / 42.0  0.07 / 0.07 0.15
/// with minimum / median in each cell, and writes them to `json_path` unless that is empty.
void report(const std::string& name, const std::vector<Row>& rows, const std::string& json_path);

}  // namespace jitc::bench
