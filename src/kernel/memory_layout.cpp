#include "src/kernel/memory_layout.hpp"

namespace jitc::kernel {

uint64_t size_of(const MemoryObject& object) { return object.count_elems * size_bytes(object.dtype); }

MemoryLayout lay_out_memory(const KernelProgram& program, MemorySpace space) {
  MemoryLayout out;
  for (const MemoryObject& object : program.memory) {
    if (object.space != space || object.dynamic) {
      out.offsets.push_back(MemoryLayout::kUnplaced);
      continue;
    }
    out.size_bytes = (out.size_bytes + object.align_bytes - 1) / object.align_bytes * object.align_bytes;
    out.offsets.push_back(out.size_bytes);
    out.size_bytes += size_of(object);
  }
  return out;
}

uint64_t static_shared_bytes(const KernelProgram& program) {
  if (program.memory.empty()) return 0;
  return lay_out_memory(program, MemorySpace::kShared).size_bytes;
}

}  // namespace jitc::kernel
