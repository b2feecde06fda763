#include "runtime/emulator/driver/launch_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "runtime/emulator/alu/lane_mask.hpp"

namespace jitc::emulator::driver {
namespace {

std::string place_text(const std::array<uint32_t, 3>& at) { return fmt::format("({})", fmt::join(at, ", ")); }

std::string line_text(const DecodedFunction& function, uint32_t step) {
  const SourceLine source = source_of(function, step);
  const std::string line = source.line == 0 ? "" : fmt::format(", source line {}", source.line);
  return fmt::format("PTX line {}{}", function.steps[step].line, line);
}

std::string_view access_text(const Fault& fault) {
  const bool is_of_access =
      fault.kind == FaultKind::race || fault.kind == FaultKind::out_of_bounds || fault.kind == FaultKind::misaligned;
  if (!is_of_access) return "";
  return fault.is_write ? " write" : " read";
}

std::string_view kernel_name(const FaultPlace& place) { return place.launch.program->functions[0].decoded->name; }

/// Steps at which threads wait, in the order of the first thread of each.
struct WaitingStep {
  const WaitingThreads* first;
  uint32_t count_threads;
};

std::vector<WaitingStep> by_step(std::span<const WaitingThreads> waiting) {
  std::vector<WaitingStep> steps;
  for (const WaitingThreads& threads : waiting) {
    const auto same = std::find_if(steps.begin(), steps.end(), [&](const WaitingStep& one) {
      return one.first->function == threads.function && one.first->step == threads.step;
    });
    const auto count = count_lanes(threads.lanes);
    if (same == steps.end())
      steps.push_back({&threads, count});
    else
      same->count_threads += count;
  }
  return steps;
}

std::string_view for_what(const Step& step) {
  if (step.unit == Unit::barrier) return " at a barrier";
  return step.unit == Unit::warp ? " for lanes of their warp" : "";
}

std::string waiting_text(const FaultPlace& place, const WaitingStep& step) {
  const WaitingThreads& first = *step.first;
  const auto thread = place_in(place.launch.block, uint64_t{first.warp} * kLanes + first_lane(first.lanes));
  return fmt::format("{} wait{}{} in {} ({}), the first is {}", step.count_threads, step.count_threads == 1 ? "s" : "",
                     for_what(first.function->steps[first.step]), first.function->name,
                     line_text(*first.function, first.step), place_text(thread));
}

}  // namespace

std::array<uint32_t, 3> place_in(const std::array<uint32_t, 3>& shape, uint64_t nth) {
  return {static_cast<uint32_t>(nth % shape[0]), static_cast<uint32_t>(nth / shape[0] % shape[1]),
          static_cast<uint32_t>(nth / shape[0] / shape[1])};
}

LaunchFault report_fault(const FaultPlace& place, const Warp& warp, std::string_view message) {
  const Fault& fault = warp.fault;
  const auto at = [&](Special id) { return static_cast<uint32_t>(warp.specials[static_cast<size_t>(id)][fault.lane]); };
  const std::array thread = {at(Special::tid_x), at(Special::tid_y), at(Special::tid_z)};
  const std::string more = message.empty() ? place.memory.explain(fault) : fmt::format(": {}", message);
  return {fault,
          fmt::format("kernel {}: {}{} in {} ({}), block {}, thread {}{}", kernel_name(place), text_of(fault.kind),
                      access_text(fault), fault.function->name, line_text(*fault.function, fault.step),
                      place_text(place.block), place_text(thread), more)};
}

LaunchFault report_stuck(const FaultPlace& place, std::span<const WaitingThreads> waiting) {
  std::vector<std::string> texts;
  for (const WaitingStep& step : by_step(waiting)) texts.push_back(waiting_text(place, step));
  Fault fault;
  fault.kind = FaultKind::stuck;
  fault.function = waiting.front().function;
  fault.step = waiting.front().step;
  fault.lane = first_lane(waiting.front().lanes);
  return {fault, fmt::format("kernel {}: {}, block {}; threads: {}", kernel_name(place), text_of(fault.kind),
                             place_text(place.block), fmt::join(texts, "; "))};
}

}  // namespace jitc::emulator::driver
