// `--time`: how long each stage took.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "src/codegen/codegen.hpp"
#include "src/pipeline/pipeline.hpp"

namespace jitc::cli {

double milliseconds_since(std::chrono::steady_clock::time_point begin);

/// Rows of stage and milliseconds in the order they were added, as a table with a total.
class StageTable {
 public:
  void add(const std::string& stage, double ms) { rows_.push_back({stage, ms}); }
  /// A part of the stage before it: not counted again.
  void add_part(const std::string& part, double ms) { rows_.push_back({"  " + part, ms, true}); }
  void add(const std::vector<pipeline::StageTime>& times);
  /// The parts of an emission; what `whole_ms` has beyond them is a row of its own.
  void add(const codegen::EmitTimes& times, double whole_ms);

  /// "stage                    ms\nread                  0.031\n…\nrun                   0.210\n  kernel 0.198\n…".
  std::string text() const;

 private:
  struct Row {
    std::string stage;
    double ms = 0;
    bool is_part = false;
  };
  std::vector<Row> rows_;
};

}  // namespace jitc::cli
