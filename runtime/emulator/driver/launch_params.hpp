// The parameter block of a launch, from either form in which a program gives it.
#pragma once

#include <vector>

#include "runtime/emulator/driver/calls.hpp"
#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator::driver {

/// CUDA_ERROR_INVALID_VALUE where parameters are missing, come twice, or the block is too short.
CUresult read_params(const DecodedFunction& entry, void** params, void** extra, std::vector<std::byte>& out);

}  // namespace jitc::emulator::driver
