// Where each parameter of the entry lies in the parameter block: natural alignment, in slot order, on both targets.
#pragma once

#include <string>
#include <vector>

#include "src/kernel/ir.hpp"

namespace jitc::codegen {

struct ParamLayout {
  std::vector<ParamSlot> slots;  ///< one per KernelProgram::params
  uint32_t size_bytes = 0;
};

/// What the parameter space of every PTX ISA and SM holds (CUDA C++ Programming Guide, "__global__ function
/// parameters"). A kernel with more takes the address of its block in global memory as its one parameter.
constexpr uint32_t kMaxParamSpaceBytes = 4096;

ParamLayout lay_out_params(const kernel::KernelProgram& program);

/// Name of the global that holds a checked kernel's FailRecord on PTX.
inline std::string fail_symbol(const kernel::KernelProgram& program) { return program.symbol + "__fail"; }

}  // namespace jitc::codegen
