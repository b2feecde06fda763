// The limits of a context. They are kept and told; the stack's is what a launch gives each thread for calls.
#include <algorithm>
#include <iterator>

#include "runtime/emulator/driver/limits.hpp"

namespace jitc::emulator::driver {
namespace {

struct LimitRow {
  CUlimit limit;
  size_t initial;
};

/// Source: the driver API's page of cuCtxSetLimit, and what drivers say on today's devices.
constexpr LimitRow kLimits[] = {
    {CU_LIMIT_STACK_SIZE, 1024},
    {CU_LIMIT_PRINTF_FIFO_SIZE, size_t{1} << 20},
    {CU_LIMIT_MALLOC_HEAP_SIZE, size_t{8} << 20},
};

const LimitRow* find_row(CUlimit limit) {
  const auto* row =
      std::find_if(std::begin(kLimits), std::end(kLimits), [&](const LimitRow& r) { return r.limit == limit; });
  return row == std::end(kLimits) ? nullptr : row;
}

}  // namespace

size_t limit_of(const Context& context, CUlimit limit) {
  const auto set = context.limits.find(limit);
  if (set != context.limits.end()) return set->second;
  const LimitRow* row = find_row(limit);
  return row == nullptr ? 0 : row->initial;
}

CUresult do_cuCtxGetLimit(size_t* value, CUlimit limit) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (find_row(limit) == nullptr) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *value = limit_of(*current_context(), limit);
  return CUDA_SUCCESS;
}

CUresult do_cuCtxSetLimit(CUlimit limit, size_t value) {
  if (find_row(limit) == nullptr) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  current_context()->limits[limit] = value;
  return CUDA_SUCCESS;
}

}  // namespace jitc::emulator::driver
