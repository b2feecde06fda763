// Where the arrays that a kernel declares lie.
#pragma once

#include <cstdint>
#include <vector>

#include "src/kernel/ir.hpp"

namespace jitc::kernel {

uint64_t size_of(const MemoryObject& object);
/// Offsets of the objects of one space, one after the other, each aligned; kUnplaced for the others.
struct MemoryLayout {
  static constexpr uint64_t kUnplaced = ~uint64_t{0};
  std::vector<uint64_t> offsets;  ///< by object
  uint64_t size_bytes = 0;
};
/// Dynamic objects are not placed.
MemoryLayout lay_out_memory(const KernelProgram& program, MemorySpace space);
/// Of the shared arrays of fixed size.
uint64_t static_shared_bytes(const KernelProgram& program);

}  // namespace jitc::kernel
