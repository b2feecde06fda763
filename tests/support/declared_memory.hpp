// The arrays that a kernel declares, as a launch, a block or a thread has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/kernel/ir.hpp"

namespace jitc::reference {

/// One copy of every MemoryObject of one space. Each lies apart, so that an access outside of one is none inside of
/// another; only the dynamic ones lie at one place. What has no value yet is filled with bytes that are no usual value.
class DeclaredMemory {
 public:
  DeclaredMemory(const kernel::KernelProgram& program, kernel::MemorySpace space, uint64_t dynamic_bytes);
  DeclaredMemory(DeclaredMemory&&) = default;  // a copy would lie elsewhere

  /// Address of the first element.
  uint64_t base(uint32_t object) const;
  /// Whether all the bytes are those of one object.
  bool holds(uint64_t address, size_t size_bytes) const;

 private:
  struct Piece {
    std::vector<std::byte> storage;
    uint64_t begin = 0;
    size_t size_bytes = 0;
  };
  static Piece make_piece(size_t size_bytes, size_t align_bytes);

  std::vector<Piece> pieces_;
  std::vector<size_t> piece_of_;  ///< by object
};

}  // namespace jitc::reference
