#include "runtime/emulator/driver/kernel_needs.hpp"

#include <algorithm>
#include <climits>

namespace jitc::emulator::driver {
namespace {

constexpr int kMostThreads = 1024;
constexpr int kSharedLimit = 49152;  // of a block without opting in
constexpr int kRegisterFile = 65536;
constexpr int kMostRegisters = 255;
constexpr int kWarp = 32;
constexpr int kRegisterUnit = 8;  // registers are given to threads by so many

int most_threads(const Kernel& kernel) {
  const auto& most = kernel.program->bounds.max_threads;
  const uint64_t product = uint64_t{std::max(most[0], 1u)} * std::max(most[1], 1u) * std::max(most[2], 1u);
  return most[0] == 0 ? kMostThreads : static_cast<int>(std::min<uint64_t>(product, kMostThreads));
}

int round_up(int count, int unit) { return (count + unit - 1) / unit * unit; }

/// PTX has as many registers as it likes; who assembles it makes do with what the largest block leaves. So this is the
/// text's count where it is small, and what fits where it is not.
int registers(const Kernel& kernel) {
  uint32_t count = 0;
  for (const DecodedFunction& function : kernel.program->functions) count = std::max(count, function.count_slots);
  const int threads = round_up(most_threads(kernel), kWarp);
  int most = std::min(kMostRegisters, kRegisterFile / threads / kRegisterUnit * kRegisterUnit);
  if (const uint32_t bound = kernel.program->bounds.max_registers; bound != 0)
    most = std::min(most, static_cast<int>(std::min(bound, uint32_t{kMostRegisters})));
  return std::clamp(static_cast<int>(std::min<uint32_t>(count, kMostRegisters)), kRegisterUnit, most);
}

int local_bytes(const Kernel& kernel) {
  uint32_t sum = 0;
  for (const DecodedFunction& function : kernel.program->functions) sum += function.frame_bytes;
  return static_cast<int>(sum);
}

int static_shared(const Kernel& kernel) { return static_cast<int>(kernel.program->static_shared_bytes); }

int initial_value(const Kernel& kernel, CUfunction_attribute attribute) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return most_threads(kernel);
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: return static_shared(kernel);
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: return static_cast<int>(kernel.code->module.image.constant_bytes);
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: return local_bytes(kernel);
    case CU_FUNC_ATTRIBUTE_NUM_REGS: return registers(kernel);
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: return static_cast<int>(kernel.code->module.module.sm);
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: return kernel.code->context->device.sm->number;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: return std::max(0, kSharedLimit - static_shared(kernel));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return -1;
    default: return 0;
  }
}

}  // namespace

std::shared_ptr<Kernel> find_kernel(CUfunction handle) {
  auto kernel = state().kernels.find(handle);
  return kernel != nullptr && kernel->code->context == current_context() ? kernel : nullptr;
}

int attribute_of(const Kernel& kernel, CUfunction_attribute attribute) {
  const auto set = kernel.attributes.find(attribute);
  return set == kernel.attributes.end() ? initial_value(kernel, attribute) : set->second;
}

int device_value(const Kernel& kernel, CUdevice_attribute attribute) {
  return kernel.code->context->device.attribute(attribute).value_or(0);
}

int active_blocks(const Kernel& kernel, int block_size, size_t dynamic_shared_bytes) {
  if (block_size > attribute_of(kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)) return 0;
  if (dynamic_shared_bytes > INT_MAX / 2) return 0;
  const auto fitting = [](int all, int each) { return each == 0 ? INT_MAX : all / each; };
  const SmModel& sm = *kernel.code->context->device.sm;
  const int threads = round_up(block_size, kWarp);
  const int shared = static_shared(kernel) + static_cast<int>(dynamic_shared_bytes);
  const int register_count = round_up(attribute_of(kernel, CU_FUNC_ATTRIBUTE_NUM_REGS), kRegisterUnit);
  return std::min({fitting(sm.threads, threads), fitting(kRegisterFile, threads * register_count),
                   fitting(sm.shared_bytes, shared == 0 ? 0 : shared + sm.shared_reserved_bytes), sm.blocks});
}

}  // namespace jitc::emulator::driver
