// What every call passes: it is counted and logged, and the script may answer in its place.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tests/fakes/fake_driver.hpp"
#include "tests/fakes/functions.hpp"

namespace jitc::tests::fake {

/// What the script says of one call.
struct ScriptedAnswer {
  CUresult code = CUDA_SUCCESS;
  FakeLasting lasting = FakeLasting::as_the_driver;
  std::string log;
};

/// Guarded by the lock of the State that it is part of.
class Recorder {
 public:
  /// Counts the call, and looks it up in the script.
  std::optional<ScriptedAnswer> begin(Function function);
  void end(Function function, CUresult code);

  void add_script(const FakeScript& script) { rows_.push_back({script, 0}); }
  void add_misuse(std::string text) { misuses_.push_back(std::move(text)); }

  uint64_t count(const std::string& function) const;
  std::vector<FakeCall> calls() const { return {calls_.begin(), calls_.end()}; }
  const std::vector<std::string>& misuses() const { return misuses_; }

 private:
  struct Row {
    FakeScript script;
    uint64_t seen;  // calls of its function since it was added
  };

  static bool answers(Row& row, const char* symbol);

  std::array<uint64_t, static_cast<size_t>(Function::count)> counts_{};
  std::vector<Row> rows_;
  std::deque<FakeCall> calls_;
  std::vector<std::string> misuses_;
};

}  // namespace jitc::tests::fake
