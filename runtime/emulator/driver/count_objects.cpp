#include "runtime/emulator/driver/count_objects.hpp"

#include <algorithm>
#include <initializer_list>

#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {
namespace {

uint64_t count_memory(std::initializer_list<MemoryKind> kinds) {
  const std::vector<AllocationPtr> live = state().memory.live();
  return static_cast<uint64_t>(std::count_if(live.begin(), live.end(), [&](const AllocationPtr& one) {
    return std::find(kinds.begin(), kinds.end(), one->owner.kind) != kinds.end();
  }));
}

uint64_t count_retains() {
  uint64_t sum = 0;
  for (const Context& context : state().contexts) sum += context.retain_count;
  return sum;
}

}  // namespace

/// What belongs to another object (a module's variables, its functions, a device's own pool) is counted with that.
std::vector<JitcEmulatorCounter> count_objects() {
  const State& all = state();
  return {
      {"memory", "allocations of devices, managed ones too",
       count_memory({MemoryKind::device, MemoryKind::pooled, MemoryKind::managed})},
      {"host", "allocations of page-locked host memory", count_memory({MemoryKind::pinned})},
      {"registered", "ranges of the program's own memory that are page-locked", count_memory({MemoryKind::registered})},
      {"pools", "pools that were created", all.pools.size() - all.contexts.size()},
      {"streams", "streams that were created", all.streams.size()},
      {"events", "events", all.events.size()},
      {"modules", "modules", all.modules.size()},
      {"graphs", "graphs, and those ready to run", all.graphs.size() + all.graph_execs.size()},
      {"links", "links that go on", all.links.size()},
      {"contexts", "times that primary contexts are retained", count_retains()},
  };
}

}  // namespace jitc::emulator::driver
