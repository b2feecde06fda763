// Primary contexts, and the stack of contexts of each thread.
#include <string>

#include "tests/fakes/state.hpp"
#include "tests/fakes/work.hpp"

namespace jitc::tests::fake {

namespace {

CUcontext context_of(CUdevice device) {
  return find_device(device) == nullptr ? nullptr : world().contexts[static_cast<size_t>(device)].get();
}

bool is_context(CUcontext context) {
  for (const auto& known : world().contexts) {
    if (known.get() == context) return context->retain_count > 0;
  }
  return false;
}

std::string objects_of(CUcontext context) {
  size_t memory = 0, objects = 0;
  for (const AllocationPtr& allocation : world().memory.all())
    memory += allocation->context == context && allocation->kind != MemoryKind::global ? 1 : 0;
  const auto count = [&](const auto& store, const auto& counts) {
    for (const auto& object : store.all()) objects += store.holds(object.get()) && counts(*object) ? 1 : 0;
  };
  const auto is_explicit = [&](const CUstream_st& stream) { return stream.context == context && stream.is_created; };
  count(world().streams, is_explicit);
  count(world().events, [&](const CUevent_st& event) { return event.context == context; });
  count(world().modules, [&](const CUmod_st& module_) { return module_.context == context; });
  if (memory + objects == 0) return {};
  return std::to_string(memory) + " allocations and " + std::to_string(objects) + " streams, events and modules";
}

/// All that belongs to it goes with it.
void destroy(CUcontext context) {
  const auto belongs = [&](const auto& object) { return object.context == context; };
  drain_all();
  world().memory.release_all_of(context);
  world().streams.remove_if(belongs);
  world().events.remove_if(belongs);
  world().modules.remove_if(belongs);
  world().functions.remove_if(belongs);
  world().links.remove_if(belongs);
  context->legacy_stream = nullptr;
  context->thread_streams.clear();
  context->is_active = false;
  context->state = CUDA_SUCCESS;
  context->limits.clear();
}

}  // namespace

CUresult do_cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  CUcontext found = context_of(device);
  if (found == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  ++found->retain_count;
  found->is_active = true;
  *context = found;
  return CUDA_SUCCESS;
}

CUresult do_cuDevicePrimaryCtxRelease(CUdevice device) {
  CUcontext context = context_of(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (context->retain_count == 0) {
    misuse(Function::cuDevicePrimaryCtxRelease, "the context is not retained");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (context->retain_count == 1) {
    const std::string left = objects_of(context);
    if (!left.empty() && context->state == CUDA_SUCCESS)
      misuse(Function::cuDevicePrimaryCtxRelease, "the context ends with " + left);
    destroy(context);
  }
  --context->retain_count;
  return CUDA_SUCCESS;
}

CUresult do_cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  CUcontext context = context_of(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *flags = context->flags;
  *active = context->is_active ? 1 : 0;
  return CUDA_SUCCESS;
}

CUresult do_cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  CUcontext context = context_of(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  context->flags = flags;
  return CUDA_SUCCESS;
}

CUresult do_cuDevicePrimaryCtxReset(CUdevice device) {
  CUcontext context = context_of(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  destroy(context);
  return CUDA_SUCCESS;
}

CUresult do_cuCtxPushCurrent(CUcontext context) {
  if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  context_stack().push_back(context);
  return CUDA_SUCCESS;
}

CUresult do_cuCtxPopCurrent(CUcontext* context) {
  if (context_stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context != nullptr) *context = context_stack().back();
  context_stack().pop_back();
  return CUDA_SUCCESS;
}

CUresult do_cuCtxGetCurrent(CUcontext* context) {
  *context = current_context();
  return CUDA_SUCCESS;
}

/// Null takes the current one off the stack.
CUresult do_cuCtxSetCurrent(CUcontext context) {
  if (context != nullptr && !is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
  ContextStack& stack = context_stack();
  if (!stack.empty()) stack.pop_back();
  if (context != nullptr) stack.push_back(context);
  return CUDA_SUCCESS;
}

CUresult do_cuCtxGetDevice(CUdevice* device) {
  if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *device = current_context()->device;
  return CUDA_SUCCESS;
}

CUresult do_cuCtxSynchronize() {
  CUcontext context = current_context();
  const auto& streams = world().streams.all();
  for (size_t i = 0; i < streams.size(); ++i) {  // others may add streams meanwhile
    if (streams[i]->context != context) continue;
    if (streams[i]->capture != nullptr) return invalidate_capture(streams[i].get());
    drain(streams[i].get(), streams[i]->last);
  }
  world().memory.trim_to_thresholds();
  return context->state;
}

CUresult do_cuCtxGetLimit(size_t* value, CUlimit limit) {
  const std::map<CUlimit, size_t> initial = {{CU_LIMIT_STACK_SIZE, 1024},
                                             {CU_LIMIT_PRINTF_FIFO_SIZE, size_t{1} << 20},
                                             {CU_LIMIT_MALLOC_HEAP_SIZE, size_t{8} << 20}};
  if (initial.count(limit) == 0) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  const auto set = current_context()->limits.find(limit);
  *value = set == current_context()->limits.end() ? initial.at(limit) : set->second;
  return CUDA_SUCCESS;
}

CUresult do_cuCtxSetLimit(CUlimit limit, size_t value) {
  size_t known = 0;
  if (do_cuCtxGetLimit(&known, limit) != CUDA_SUCCESS) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  current_context()->limits[limit] = value;
  return CUDA_SUCCESS;
}

CUresult do_cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return CUDA_SUCCESS;
}

}  // namespace jitc::tests::fake
