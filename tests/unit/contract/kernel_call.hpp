// A launch of a kernel program with given arguments, on whatever can run it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/codegen/codegen.hpp"
#include "src/kernel/ir.hpp"

namespace jitc::contract {

using Bytes = std::vector<std::byte>;

/// An argument of a program: an array in one of the call's buffers, or a scalar.
struct CallArgument {
  int buffer = -1;  ///< none: a scalar, or strides alone
  int64_t first_bytes = 0;
  std::vector<int64_t> extents, strides;
  std::array<uint64_t, 2> bits = {};  ///< of a scalar, by part
};

struct KernelCall {
  std::vector<Bytes> buffers;
  std::vector<CallArgument> arguments;  ///< as the program has them
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
};

/// What `slot` or a parameter of the same fields gets; `address`: where a buffer begins.
template <class Slot, class Address>
uint64_t value_of(const Slot& slot, const KernelCall& call, const Address& address) {
  const CallArgument& argument = call.arguments.at(slot.argument);
  switch (slot.part) {
    case ParamSlot::Part::scalar: return argument.bits.at(slot.axis);
    case ParamSlot::Part::data: return address(argument.buffer) + static_cast<uint64_t>(argument.first_bytes);
    case ParamSlot::Part::extent: return static_cast<uint64_t>(argument.extents.at(slot.axis));
    case ParamSlot::Part::stride: return static_cast<uint64_t>(argument.strides.at(slot.axis));
  }
  return 0;
}

/// The buffers after the launch.
std::vector<Bytes> run_reference(const kernel::KernelProgram& program, KernelCall call);
std::vector<Bytes> run_cpu(const kernel::KernelProgram& program, KernelCall call);
/// Compiled for sm_80, on the emulated GPU.
std::vector<Bytes> run_emulated(const kernel::KernelProgram& program, KernelCall call);
std::vector<Bytes> run_emulated_with(const codegen::EmitOptions& options, const kernel::KernelProgram& program,
                                     KernelCall call);

}  // namespace jitc::contract
