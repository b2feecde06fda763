#include "runtime/emulator/driver/fault_codes.hpp"

namespace jitc::emulator::driver {

/// Source: the driver API's page of data types, CUresult. A trap is an unspecific failure of the launch.
CUresult code_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::none: return CUDA_SUCCESS;
    case FaultKind::out_of_bounds:
    case FaultKind::write_to_constant: return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FaultKind::misaligned: return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FaultKind::bad_call: return CUDA_ERROR_INVALID_PC;
    case FaultKind::stack_overflow: return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case FaultKind::not_in_mask: return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case FaultKind::stuck: return CUDA_ERROR_LAUNCH_TIMEOUT;
    case FaultKind::assertion: return CUDA_ERROR_ASSERT;
    case FaultKind::refused_call:
    case FaultKind::uninitialised:
    case FaultKind::race:
    case FaultKind::trap: return CUDA_ERROR_LAUNCH_FAILED;
  }
  return CUDA_ERROR_LAUNCH_FAILED;
}

}  // namespace jitc::emulator::driver
