// `--time`: how long each stage took.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "src/codegen/codegen.hpp"
#include "src/pipeline/pipeline.hpp"

namespace jitc::cli {

double milliseconds_since(std::chrono::steady_clock::time_point begin);

/// Rows of stage and milliseconds in the order they were added, as a table with a total.
class StageTable {
 public:
  void add(const std::string& stage, double ms) { rows_.emplace_back(stage, ms); }
  void add(const std::vector<pipeline::StageTime>& times);
  /// The parts of an emission; what `whole_ms` has beyond them is a row of its own.
  void add(const codegen::EmitTimes& times, double whole_ms);

  /// "stage                 ms\nread               0.031\n…".
  std::string text() const;

 private:
  std::vector<std::pair<std::string, double>> rows_;
};

}  // namespace jitc::cli
