// Runs the stages of one compile and remembers how long each took.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "src/pipeline/pipeline.hpp"

namespace jitc::pipeline {

class StageRunner {
 public:
  /// Runs one stage; stages of one name add up.
  template <class Stage>
  auto run(const char* name, Stage&& stage) {
    const auto start = std::chrono::steady_clock::now();
    auto result = std::forward<Stage>(stage)();
    add(name, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    return result;
  }

  std::vector<StageTime> take() { return std::move(times_); }

 private:
  void add(const char* name, double ms) {
    for (StageTime& t : times_) {
      if (t.stage == name) {
        t.ms += ms;
        return;
      }
    }
    times_.push_back({name, ms});
  }

  std::vector<StageTime> times_;
};

}  // namespace jitc::pipeline
