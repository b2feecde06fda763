// Blocks one after the other, warp by warp, each from its first step to its last: enough for kernels whose threads do
// not meet. Threads that do meet (barriers, shuffles) are a fault here.
#include "runtime/emulator/driver/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/emulator/driver/launch_memory.hpp"
#include "runtime/emulator/driver/thread_specials.hpp"
#include "runtime/emulator/exec/run_group.hpp"

namespace jitc::emulator::driver {
namespace {

constexpr uint64_t kBudgetSteps = uint64_t{1} << 40;

std::string describe(const KernelLaunch& launch, const LaunchMemory& memory, const Fault& fault,
                     const std::array<uint32_t, 3>& block, uint32_t first_thread) {
  const auto thread = place_in(launch.block, first_thread + fault.lane);
  const DecodedFunction& entry = *launch.program->functions[0].decoded;
  const Step& step = fault.function->steps[fault.step];
  const SourceLine source = source_of(*fault.function, fault.step);
  const std::string line = source.line == 0 ? "" : fmt::format(", source line {}", source.line);
  return fmt::format("kernel {}: {} {} in {} (PTX line {}{}), block ({}, {}, {}), thread ({}, {}, {}){}", entry.name,
                     text_of(fault.kind), fault.is_write ? "write" : "access", fault.function->name, step.line, line,
                     block[0], block[1], block[2], thread[0], thread[1], thread[2], memory.explain(fault));
}

class BlockRunner {
 public:
  explicit BlockRunner(const KernelLaunch& launch) : launch_(launch), memory_(launch) {}

  std::optional<LaunchFault> run(const std::array<uint32_t, 3>& block) {
    memory_.begin_block();
    const uint32_t threads = launch_.block[0] * launch_.block[1] * launch_.block[2];
    for (uint32_t first = 0; first < threads; first += kLanes) {
      Warp warp = make_warp(block, first);
      const uint32_t count = std::min(threads - first, kLanes);
      memory_.begin_warp();
      const bool is_done = run_warp(warp, count == kLanes ? UINT32_MAX : (uint32_t{1} << count) - 1);
      if (!is_done) return LaunchFault{warp.fault, describe(launch_, memory_, warp.fault, block, first)};
    }
    return std::nullopt;
  }

 private:
  Warp make_warp(const std::array<uint32_t, 3>& block, uint32_t first_thread) {
    Warp warp;
    warp.program = launch_.program;
    warp.memory = &memory_;
    warp.local_limit_bytes = memory_.local_bytes();
    fill_specials(warp, launch_, block, first_thread);
    return warp;
  }

  /// Groups that part never meet again: each runs to its end. False with warp.fault.
  static bool run_warp(Warp& warp, uint32_t lanes) {
    std::vector<Group> groups = {enter_kernel(warp, lanes)};
    while (!groups.empty()) {
      Group group = std::move(groups.back());
      groups.pop_back();
      const Stop stop = run_group(warp, group, kBudgetSteps);
      if (stop.kind == StopKind::fault) return false;
      if (stop.kind == StopKind::meeting || stop.kind == StopKind::builtin) return refuse_meeting(warp, group);
      part(groups, group, stop);
    }
    return true;
  }

  static void part(std::vector<Group>& groups, const Group& group, const Stop& stop) {
    const bool is_diverged = stop.kind == StopKind::diverged;
    Group rest = {group.frame, is_diverged ? group.step + 1 : group.step, group.lanes & ~stop.lanes};
    if (rest.lanes != 0) groups.push_back(std::move(rest));
    if (stop.kind != StopKind::ended && stop.lanes != 0) groups.push_back({group.frame, stop.step, stop.lanes});
  }

  static bool refuse_meeting(Warp& warp, const Group& group) {
    warp.fault = {FaultKind::trap, Area::generic, false, 0, 0, 0, group.frame->function->decoded, group.step};
    return false;
  }

  const KernelLaunch& launch_;
  LaunchMemory memory_;
};

}  // namespace

std::optional<LaunchFault> execute(const KernelLaunch& launch) {
  BlockRunner runner(launch);
  std::array<uint32_t, 3> block;
  for (block[2] = 0; block[2] < launch.grid[2]; ++block[2]) {
    for (block[1] = 0; block[1] < launch.grid[1]; ++block[1]) {
      for (block[0] = 0; block[0] < launch.grid[0]; ++block[0]) {
        if (auto fault = runner.run(block)) return fault;
      }
    }
  }
  return std::nullopt;
}

}  // namespace jitc::emulator::driver
