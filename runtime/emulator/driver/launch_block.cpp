#include "runtime/emulator/driver/launch_block.hpp"

#include "runtime/emulator/driver/launch_builtins.hpp"
#include "runtime/emulator/driver/launch_report.hpp"

namespace jitc::emulator::driver {
namespace {

Extent extent_of(const std::array<uint32_t, 3>& shape) { return {shape[0], shape[1], shape[2]}; }

BlockPlace place_of(const KernelLaunch& launch, uint64_t index, const LaunchMemory& memory) {
  BlockPlace place;
  place.grid = extent_of(launch.grid);
  place.block = extent_of(launch.block);
  place.index = extent_of(place_in(launch.grid, index));
  place.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  place.local_limit_bytes = memory.sizes().local_bytes;
  place.multiprocessors = launch.multiprocessors;
  place.grid_id = launch.grid_id;
  return place;
}

}  // namespace

LaunchBlock::LaunchBlock(const KernelLaunch& launch, uint64_t index, std::unique_ptr<LaunchMemory> memory)
    : launch_(launch),
      index_(index),
      memory_(std::move(memory)),
      observer_(launch.observer == nullptr ? nullptr : launch.observer->begin_block(index)),
      block_(*launch.program, place_of(launch, index, *memory_), memory_->warps(), observer_.get()) {
  memory_->begin_block();
}

LaunchBlock::State LaunchBlock::run(uint64_t budget_steps) {
  const uint64_t before = block_.count_writes();
  const State state = go_on(budget_steps);
  has_written_ = block_.count_writes() != before;
  return state;
}

LaunchBlock::State LaunchBlock::go_on(uint64_t budget_steps) {
  for (;;) {
    switch (block_.run(budget_steps)) {
      case BlockState::turn_over: return State::turn_over;
      case BlockState::ended: return State::ended;
      case BlockState::stuck: fault_ = waits_in_vain(); return State::fault;
      case BlockState::fault: return fail(observer_ == nullptr ? std::string() : observer_->explain());
      case BlockState::builtin:
        if (!run_stopped_builtin()) return fail(message_);
    }
  }
}

bool LaunchBlock::run_stopped_builtin() {
  WarpScheduler& scheduler = block_.stopped_scheduler();
  BuiltinOutcome outcome = run_builtin(block_.stopped_warp(), scheduler.at_builtin());
  printed_ += outcome.printed;
  message_ = std::move(outcome.message);
  if (outcome.is_done) scheduler.finish_builtin();
  return outcome.is_done;
}

LaunchBlock::State LaunchBlock::fail(std::string_view message) {
  fault_ = report_fault({launch_, *memory_, place_in(launch_.grid, index_)}, block_.stopped_warp(), message);
  return State::fault;
}

LaunchFault LaunchBlock::waits_in_vain() const {
  return report_stuck({launch_, *memory_, place_in(launch_.grid, index_)}, block_.waiting());
}

}  // namespace jitc::emulator::driver
