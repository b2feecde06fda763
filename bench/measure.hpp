// Timing of competitors that take turns, so that what slows the machine slows them alike.
#pragma once

#include <functional>
#include <vector>

namespace jitc::bench {

struct Samples {
  std::vector<double> ms;  ///< in the order they were taken
  double min() const;
  double median() const;
};

/// Calls every competitor once untimed, then `rounds` times in turn. One Samples for each competitor.
std::vector<Samples> take_turns(int rounds, const std::vector<std::function<void()>>& competitors);
/// The same with competitors that say themselves how many milliseconds they took.
std::vector<Samples> take_timed_turns(int rounds, const std::vector<std::function<double()>>& competitors);

/// Milliseconds that one call takes.
double time_ms(const std::function<void()>& call);

}  // namespace jitc::bench
