// Primary contexts, and the stack of contexts of each thread.
#include "runtime/emulator/driver/device_memory.hpp"
#include "runtime/emulator/driver/limits.hpp"
#include "runtime/emulator/driver/pools.hpp"
#include "runtime/emulator/driver/state.hpp"
#include "runtime/emulator/driver/streams.hpp"

namespace jitc::emulator::driver {
namespace {

/// All that belongs to it goes with it, when its work is done.
void destroy(Context& context) {
  drain(context);
  for (const StreamPtr& stream : context.streams) {
    stream->capture = nullptr;  // which refers to its stream
    mark_destroyed(*stream);
  }
  const auto belongs = [&](const auto& object) { return object.context == &context; };
  State& all = state();
  all.streams.remove_if(belongs);
  all.events.remove_if(belongs);
  all.links.remove_if(belongs);
  all.modules.remove_if([&](const CodeModule& module) { return belongs(*module.code); });
  all.kernels.remove_if([&](const Kernel& kernel) { return belongs(*kernel.code); });
  for (const AllocationPtr& one : all.memory.live()) {
    if (one->owner.context == &context) release(one);
  }
  context.legacy_stream = nullptr;
  context.thread_streams.clear();
  context.streams.clear();
  context.limits.clear();
  context.state = CUDA_SUCCESS;
  context.is_active = false;
}

/// Of a handle that is retained; null for others.
Context* retained(CUcontext handle) {
  Context* context = state().context_handles.find(handle).get();
  return context != nullptr && context->retain_count > 0 ? context : nullptr;
}

}  // namespace

CUresult do_cuDevicePrimaryCtxRetain(CUcontext* handle, CUdevice device) {
  Context* context = find_context(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  ++context->retain_count;
  context->is_active = true;
  *handle = context->handle;
  return CUDA_SUCCESS;
}

CUresult do_cuDevicePrimaryCtxRelease(CUdevice device) {
  Context* context = find_context(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (context->retain_count == 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (context->retain_count == 1) destroy(*context);
  --context->retain_count;
  return CUDA_SUCCESS;
}

CUresult do_cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  const Context* context = find_context(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = context->flags;
  *active = context->is_active ? 1 : 0;
  return CUDA_SUCCESS;
}

CUresult do_cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  Context* context = find_context(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const unsigned known = CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX;
  if ((flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  context->flags = flags;
  return CUDA_SUCCESS;
}

CUresult do_cuDevicePrimaryCtxReset(CUdevice device) {
  Context* context = find_context(device);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  destroy(*context);
  return CUDA_SUCCESS;
}

CUresult do_cuCtxPushCurrent(CUcontext handle) {
  Context* context = retained(handle);
  if (context == nullptr || context_stack().is_full()) return CUDA_ERROR_INVALID_CONTEXT;
  context_stack().push_back(context);
  return CUDA_SUCCESS;
}

CUresult do_cuCtxPopCurrent(CUcontext* handle) {
  if (context_stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (handle != nullptr) *handle = context_stack().back()->handle;
  context_stack().pop_back();
  return CUDA_SUCCESS;
}

CUresult do_cuCtxGetCurrent(CUcontext* handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *handle = current_context() == nullptr ? nullptr : current_context()->handle;
  return CUDA_SUCCESS;
}

/// Null takes the current one off the stack.
CUresult do_cuCtxSetCurrent(CUcontext handle) {
  Context* context = retained(handle);
  if (handle != nullptr && context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  ContextStack& stack = context_stack();
  if (!stack.empty()) stack.pop_back();
  if (context != nullptr) stack.push_back(context);
  return CUDA_SUCCESS;
}

CUresult do_cuCtxGetDevice(CUdevice* device) {
  if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = current_context()->device.ordinal;
  return CUDA_SUCCESS;
}

CUresult do_cuCtxSynchronize() {
  Context& context = *current_context();
  for (const StreamPtr& stream : context.streams) {
    if (stream->capture != nullptr) return invalidate_capture(*stream);
  }
  drain(context);
  trim_to_thresholds();
  return context.state;
}

CUresult do_cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
