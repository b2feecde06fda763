// What the library exports: every function of the list, through one gate that counts, scripts and checks.
#include <new>
#include <optional>

#include "tests/fakes/callbacks.hpp"
#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

namespace {

/// Calls that compile report the script's log themselves.
bool writes_log(Function function) {
  return function == Function::cuModuleLoadDataEx || function == Function::cuLinkAddData;
}

/// A code of the script may be the end of more than this call.
CUresult answer(const ScriptedAnswer& scripted) {
  const bool lasts = scripted.lasting == FakeLasting::as_the_driver && breaks_context(scripted.code);
  if (lasts && ends_driver(scripted.code))
    world().driver_state = scripted.code;
  else if (lasts && current_context() != nullptr)
    current_context()->state = scripted.code;
  return scripted.code;
}

/// The code of a call in a process, a thread or a context that is not fit for it.
CUresult check_surroundings(Function function) {
  if (is_inside_callback()) {
    misuse(function, "called inside a host function or a kernel");
    return CUDA_ERROR_NOT_PERMITTED;
  }
  if (works_always(function)) return CUDA_SUCCESS;
  if (world().driver_state != CUDA_SUCCESS) return world().driver_state;
  if (!state().is_initialised && function != Function::cuInit) return CUDA_ERROR_NOT_INITIALIZED;
  if (!needs_context(function)) return CUDA_SUCCESS;
  CUcontext context = current_context();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return context->is_active ? context->state : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/// Where nothing is left that could be freed, releases do not run either.
bool can_release(Function function) {
  return is_release(function) && current_context() != nullptr && current_context()->is_active && !is_inside_callback();
}

template <class Body>
CUresult pass_gate(Function function, const Body& body) {
  const std::optional<ScriptedAnswer> scripted = world().recorder.begin(function);
  if (scripted) {
    const CUresult code = answer(*scripted);
    if (scripted->log.empty() || !writes_log(function)) return code;
    set_scripted_log(*scripted);
    return body();
  }
  const CUresult unfit = check_surroundings(function);
  if (unfit == CUDA_SUCCESS) return body();
  if (can_release(function)) body();
  return unfit;
}

template <class Body>
CUresult call(Function function, const Body& body) noexcept {
  try {
    const std::lock_guard lock(state().mutex);
    const CUresult code = pass_gate(function, body);
    world().recorder.end(function, code);
    return code;
  } catch (const std::bad_alloc&) { return CUDA_ERROR_OUT_OF_MEMORY; }
}

}  // namespace

#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args)          \
  extern "C" __attribute__((visibility("default"))) CUresult symbol params { \
    return call(Function::name, [&] { return do_##name args; });             \
  }
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION

}  // namespace jitc::tests::fake
