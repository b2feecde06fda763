#include "src/cli/timed_launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/cli/run_method.hpp"

namespace jitc::cli {

namespace {

struct Once {
  engine::LaunchReport report;
  CallMemory memory;
  bool launched = true;  ///< a result without elements takes no launch
};

Once launch_once(Run& run, const LaunchConfig& config, const engine::LaunchEvents& events) {
  if (!run.is_called()) return {engine::launch(run.function, config, run.arguments, &events), {}};
  run.arguments.resize(run.infos.size(), Argument(0));
  const engine::CallMeter meter;
  engine::CallReport report = call_method(run, events);
  const CallMemory memory{meter.peak_bytes(), meter.allocations()};
  const bool launched = std::ranges::none_of(report.results, [](const Array& result) { return result.size() == 0; });
  for (Array& result : report.results) run.arguments.emplace_back(std::move(result));
  return {report.launch, memory, launched};
}

/// An array function's kernels are made when it comes to them, behind the first event.
double kernel_ms(const Run& run, const Once& once, const engine::LaunchEvents& events) {
  if (!once.launched) return 0;
  const double elapsed_ms = events.begin.elapsed_ms(events.end);
  if (run.function.kind() != FunctionKind::array_function) return elapsed_ms;
  return std::max(elapsed_ms - once.report.compile_ms - once.report.load_ms, 0.0);
}

}  // namespace

std::string CallMemory::text() const {
  return fmt::format("memory: at most {} byte{} at once, {} allocation{}\n", peak_bytes, peak_bytes == 1 ? "" : "s",
                     allocations, allocations == 1 ? "" : "s");
}

std::string Timing::text() const {
  std::string out = fmt::format("compile {:.3f} ms, ", first.compile_ms + first.load_ms);
  if (runs.size() == 1) return out + fmt::format("kernel {:.3f} ms", runs[0].kernel_ms);
  std::vector<double> sorted;
  for (const LaunchTime& run : runs) sorted.push_back(run.kernel_ms);
  std::sort(sorted.begin(), sorted.end());
  const size_t middle = sorted.size() / 2;
  const double median = sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return out + fmt::format("kernel of {} runs: min {:.3f} ms, median {:.3f} ms", sorted.size(), sorted.front(), median);
}

Timing launch_all(Run& run, const LaunchConfig& config, unsigned repeat) {
  const engine::LaunchEvents events(run.device);
  Timing out;
  for (unsigned i = 0; i < repeat; ++i) {
    if (i != 0) restore(run);
    const auto begin = std::chrono::steady_clock::now();
    const Once once = launch_once(run, config, events);
    finish(run);
    const double making_ms = once.report.compile_ms + once.report.load_ms;
    const double whole_ms = milliseconds_since(begin) - making_ms;
    if (i == 0) out.first = once.report, out.memory = once.memory;
    out.runs.push_back({whole_ms, once.report.run_ms, kernel_ms(run, once, events)});
  }
  return out;
}

}  // namespace jitc::cli
