#include "tests/fakes/state.hpp"

#include "tests/fakes/environment.hpp"

namespace jitc::tests::fake {

namespace {

void fill(State& s, const FakePose& pose) {
  ++s.resets;
  s.world = World{};
  World& w = s.world;
  w.pose = pose;
  if (pose.driver_version == 0) w.pose.driver_version = kNewestDriverVersion;
  for (int device = 0; device < static_cast<int>(pose.devices.size()); ++device) {
    w.contexts.push_back(std::make_unique<CUctx_st>());
    w.contexts.back()->device = device;
    CUmemoryPool pool = w.pools.add();
    pool->device = device;
    pool->is_default = true;
    w.default_pools.push_back(pool);
  }
  for (const FakeScript& script : script_of_environment()) w.recorder.add_script(script);
}

}  // namespace

State& state() {
  static State& only = []() -> State& {
    State& made = *new State;
    fill(made, pose_of_environment());
    return made;
  }();
  return only;
}

void reset_world(const FakePose& pose) { fill(state(), pose); }

void misuse(Function function, const std::string& text) {
  world().recorder.add_misuse(std::string(symbol_of(function)) + ": " + text);
}

void set_scripted_log(const ScriptedAnswer& answer) { state().scripted_log = answer; }

std::optional<ScriptedAnswer> take_scripted_log() {
  std::optional<ScriptedAnswer> taken;
  taken.swap(state().scripted_log);
  return taken;
}

ContextStack& context_stack() {
  thread_local ContextStack stack;
  thread_local uint64_t valid_for = 0;
  if (valid_for != state().resets) {
    stack.clear();
    valid_for = state().resets;
  }
  return stack;
}

CUcontext current_context() {
  const ContextStack& stack = context_stack();
  return stack.empty() ? nullptr : stack.back();
}

}  // namespace jitc::tests::fake
