#include "runtime/emulator/driver/launch_checks.hpp"

#include "runtime/emulator/check/init_check.hpp"
#include "runtime/emulator/driver/launch_memory.hpp"
#include "runtime/emulator/exec/observer_list.hpp"

namespace jitc::emulator::driver {
namespace {

Extent extent_of(const std::array<uint32_t, 3>& shape) { return {shape[0], shape[1], shape[2]}; }

LaunchFacts facts_of(const KernelLaunch& launch) {
  const LaunchSizes sizes(launch);
  return {launch.program,
          launch.memory,
          extent_of(launch.grid),
          extent_of(launch.block),
          sizes.shared_bytes,
          sizes.local_bytes,
          [&launch](const Fault& access) { return describe(launch, access); }};
}

}  // namespace

LaunchChecks::LaunchChecks(const KernelLaunch& launch, const Checks& checks)
    : checks_(checks), facts_(facts_of(launch)), races_(facts_) {}

std::unique_ptr<Observer> LaunchChecks::begin_block(uint64_t index) {
  std::vector<std::unique_ptr<Observer>> made;
  if (checks_.race) made.push_back(std::make_unique<RaceCheck>(races_, static_cast<uint32_t>(index)));
  if (checks_.init) made.push_back(std::make_unique<InitCheck>(facts_));
  return std::make_unique<ObserverList>(std::move(made));
}

}  // namespace jitc::emulator::driver
