#include "bench/measure.hpp"

#include <algorithm>
#include <chrono>

namespace jitc::bench {

double Samples::min() const { return *std::min_element(ms.begin(), ms.end()); }

double Samples::median() const {
  std::vector<double> sorted = ms;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

double time_ms(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::vector<Samples> take_turns(int rounds, const std::vector<std::function<void()>>& competitors) {
  std::vector<std::function<double()>> timed;
  for (const auto& competitor : competitors) timed.emplace_back([&competitor] { return time_ms(competitor); });
  return take_timed_turns(rounds, timed);
}

std::vector<Samples> take_timed_turns(int rounds, const std::vector<std::function<double()>>& competitors) {
  for (const auto& competitor : competitors) competitor();
  std::vector<Samples> out(competitors.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < competitors.size(); ++i) out[i].ms.push_back(competitors[i]());
  }
  return out;
}

}  // namespace jitc::bench
