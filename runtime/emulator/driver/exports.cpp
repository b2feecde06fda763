// What the library exports: every function of the list, through one gate that counts, fails on demand and checks.
#include <new>
#include <optional>
#include <system_error>

#include "runtime/emulator/driver/state.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

/// The code that JITC_EMU_FAIL has for this call. One that breaks a context does so.
std::optional<CUresult> planned_failure(Call call) {
  const uint64_t nth = ++state().call_counts.at(static_cast<size_t>(call));
  for (const FailRow& row : state().settings.fails) {
    if (row.call != call || row.nth != nth) continue;
    if (breaks_context(row.code) && current_context() != nullptr) current_context()->state = row.code;
    return row.code;
  }
  return std::nullopt;
}

/// The code of a call in a process, a thread or a context that is not fit for it.
CUresult check_surroundings(Call call) {
  if (works_always(call)) return CUDA_SUCCESS;
  if (!state().is_initialised && call != Call::cuInit) return CUDA_ERROR_NOT_INITIALIZED;
  if (!needs_context(call)) return CUDA_SUCCESS;
  const Context* context = current_context();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return context->is_active ? context->state : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/// Where nothing is left that could be freed, releases do not run either.
bool can_release(Call call) { return is_release(call) && current_context() != nullptr && current_context()->is_active; }

template <class Body>
CUresult pass_gate(Call call, const Body& body) {
  if (const auto planned = planned_failure(call)) return *planned;
  const CUresult unfit = check_surroundings(call);
  if (unfit == CUDA_SUCCESS) return body();
  if (can_release(call)) body();
  return unfit;
}

template <class Body>
CUresult run(Call call, const Body& body) noexcept {
  try {
    const std::lock_guard lock(state().mutex);
    if (is_working_thread() && !works_always(call)) return CUDA_ERROR_NOT_PERMITTED;
    return pass_gate(call, body);
  } catch (const std::bad_alloc&) { return CUDA_ERROR_OUT_OF_MEMORY; } catch (const std::system_error&) {
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
}

}  // namespace

#define JITC_CUDA_FUNCTION(name, symbol, since, need, params, args)          \
  extern "C" __attribute__((visibility("default"))) CUresult symbol params { \
    return run(Call::name, [&] { return do_##name args; });                  \
  }
#include "runtime/cuda/driver_functions.def"
#undef JITC_CUDA_FUNCTION

}  // namespace jitc::emulator::driver
