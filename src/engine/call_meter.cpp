#include "runtime/common/allocation_meter.hpp"
#include "src/engine/engine.hpp"

namespace jitc::engine {

struct CallMeter::State {
  runtime::MeterScope scope;
};

CallMeter::CallMeter() : state_(std::make_unique<State>()) {}

CallMeter::~CallMeter() = default;

uint64_t CallMeter::peak_bytes() const { return state_->scope.meter().peak_bytes(); }

uint64_t CallMeter::allocations() const { return state_->scope.meter().allocations(); }

}  // namespace jitc::engine
