#include "tests/fakes/recorder.hpp"

#include <numeric>

namespace jitc::tests::fake {

namespace {

constexpr size_t kMaxCalls = 65536;

}  // namespace

/// Every row that names the function counts the call, whether or not an earlier row answers it.
std::optional<ScriptedAnswer> Recorder::begin(Function function) {
  ++counts_[static_cast<size_t>(function)];
  std::optional<ScriptedAnswer> answer;
  for (Row& row : rows_) {
    if (answers(row, symbol_of(function)) && !answer)
      answer = ScriptedAnswer{static_cast<CUresult>(row.script.code), row.script.lasting, row.script.log};
  }
  return answer;
}

void Recorder::end(Function function, CUresult code) {
  if (calls_.size() == kMaxCalls) calls_.pop_front();
  calls_.push_back({symbol_of(function), code});
}

bool Recorder::answers(Row& row, const char* symbol) {
  if (row.script.function != "*" && row.script.function != symbol) return false;
  ++row.seen;
  return row.seen == row.script.nth || (row.seen > row.script.nth && row.script.lasting == FakeLasting::forever);
}

uint64_t Recorder::count(const std::string& function) const {
  if (function == "*") return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
  const auto number = find_function(function);
  return number ? counts_[static_cast<size_t>(*number)] : 0;
}

}  // namespace jitc::tests::fake
