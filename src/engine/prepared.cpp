#include "src/engine/prepared.hpp"

#include "runtime/common/queue_of.hpp"
#include "src/engine/guard.hpp"
#include "src/engine/state.hpp"

namespace jitc {

namespace {

void run_on(const engine::PreparedState& state, runtime::Queue& queue) {
  state.backend->launch(*state.kernel, state.config, state.params, queue);
  state.backend->counters.launches.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void PreparedLaunch::run() const {
  engine::guarded([&] { run_on(*state_, *state_->queue); });
}

void PreparedLaunch::run(const Stream& stream) const {
  engine::guarded([&] {
    const std::shared_ptr<runtime::Queue>& queue =
        runtime::queue_of(stream, *state_->backend, "a launch that was prepared for arrays");
    engine::use_arrays(state_->args, queue);
    run_on(*state_, *queue);
  });
}

}  // namespace jitc
