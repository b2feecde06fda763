#include "runtime/emulator/driver/state.hpp"

namespace jitc::emulator::driver {
namespace {

void add_context(State& made, int ordinal) {
  Context& context = made.contexts.emplace_back();
  context.device = {ordinal, find_sm(made.settings.sm), made.settings.multiprocessors, made.settings.memory_bytes};
  // The table does not own it: the deque does, for good.
  context.handle = made.context_handles.add(std::shared_ptr<Context>(std::shared_ptr<void>(), &context));
  const auto pool = std::make_shared<Pool>();
  pool->device = ordinal;
  pool->is_default = true;
  made.all_pools.push_back(pool);
  context.default_pool = made.pools.add(pool);
}

State& make_state() {
  State& made = *new State;
  made.settings = settings_of_environment();
  if (!made.settings.problem.empty()) return made;
  made.is_counting = made.settings.counts;
  for (int ordinal = 0; ordinal < made.settings.devices; ++ordinal) add_context(made, ordinal);
  return made;
}

}  // namespace

State& state() {
  static State& only = make_state();
  return only;
}

Context* find_context(CUdevice device) {
  auto& contexts = state().contexts;
  return device >= 0 && static_cast<size_t>(device) < contexts.size() ? &contexts[static_cast<size_t>(device)]
                                                                      : nullptr;
}

ContextStack& context_stack() {
  thread_local ContextStack stack;
  return stack;
}

Context* current_context() {
  const ContextStack& stack = context_stack();
  return stack.empty() ? nullptr : stack.back();
}

CUresult report(CUresult code, std::string text) {
  state().report = std::move(text);
  return code;
}

}  // namespace jitc::emulator::driver
