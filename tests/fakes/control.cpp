// The control functions that a test finds by dlsym("jitc_fake_driver").
#include <stdexcept>

#include "tests/fakes/environment.hpp"
#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

namespace {

using Lock = std::lock_guard<std::mutex>;

/// A test that names a function that does not exist must not pass.
void require_function(const std::string& function) {
  if (function != "*" && !find_function(function))
    throw std::invalid_argument("the fake driver has no function " + function);
}

void reset() {
  const Lock lock(state().mutex);
  reset_world(pose_of_environment());
}

void pose(const FakePose& pose) {
  const Lock lock(state().mutex);
  reset_world(pose);
}

void script(const FakeScript& script) {
  require_function(script.function);
  const Lock lock(state().mutex);
  world().recorder.add_script(script);
}

uint64_t count(const std::string& function) {
  require_function(function);
  const Lock lock(state().mutex);
  return world().recorder.count(function);
}

std::vector<FakeCall> calls() {
  const Lock lock(state().mutex);
  return world().recorder.calls();
}

FakeLive live() {
  const Lock lock(state().mutex);
  FakeLive live;
  for (const AllocationPtr& allocation : world().memory.all()) {
    live.pinned += allocation->kind == MemoryKind::pinned ? 1 : 0;
    live.registered += allocation->kind == MemoryKind::registered ? 1 : 0;
    if (is_host_memory(*allocation) && allocation->kind != MemoryKind::managed) continue;
    if (allocation->kind == MemoryKind::global) continue;
    ++live.allocations;
    live.bytes += allocation->size_bytes;
  }
  for (const auto& stream : world().streams.all())
    live.streams += stream->is_created && world().streams.holds(stream.get()) ? 1 : 0;
  live.pools = world().pools.size() - world().default_pools.size();
  live.events = world().events.size();
  live.modules = world().modules.size();
  live.graphs = world().graphs.size() + world().graph_execs.size();
  live.links = world().links.size();
  for (const auto& context : world().contexts) live.contexts += context->retain_count;
  return live;
}

std::vector<std::string> misuses() {
  const Lock lock(state().mutex);
  return world().recorder.misuses();
}

std::vector<FakeLaunch> launches() {
  const Lock lock(state().mutex);
  return {world().launches.begin(), world().launches.end()};
}

void set_kernel(FakeKernel kernel) {
  const Lock lock(state().mutex);
  world().kernel = std::move(kernel);
}

void set_function_attribute(const std::string& entry, CUfunction_attribute attribute, int value) {
  const Lock lock(state().mutex);
  world().function_attributes[entry][attribute] = value;
}

void hold() {
  const Lock lock(state().mutex);
  world().is_holding = true;
}

void release() {
  const Lock lock(state().mutex);
  world().is_holding = false;
  drain_all();
}

size_t pending() {
  const Lock lock(state().mutex);
  return pending_work();
}

void break_context(int device, int code) {
  const Lock lock(state().mutex);
  world().contexts.at(static_cast<size_t>(device))->state = static_cast<CUresult>(code);
}

size_t context_depth() {
  const Lock lock(state().mutex);
  return context_stack().size();
}

constexpr FakeControl kControl = {.reset = reset,
                                  .pose = pose,
                                  .script = script,
                                  .count = count,
                                  .calls = calls,
                                  .live = live,
                                  .misuses = misuses,
                                  .launches = launches,
                                  .set_kernel = set_kernel,
                                  .set_function_attribute = set_function_attribute,
                                  .hold = hold,
                                  .release = release,
                                  .pending = pending,
                                  .break_context = break_context,
                                  .context_depth = context_depth};

}  // namespace

extern "C" __attribute__((visibility("default"))) const FakeControl* jitc_fake_driver() { return &kControl; }

}  // namespace jitc::tests::fake
