#include "tests/support/declared_memory.hpp"

#include <algorithm>
#include <cstring>

#include "src/base/check.hpp"

namespace jitc::reference {

namespace {

constexpr std::byte kUninitialised{0xA5};
constexpr size_t kNoPiece = SIZE_MAX;

}  // namespace

DeclaredMemory::DeclaredMemory(const kernel::KernelProgram& program, kernel::MemorySpace space,
                               uint64_t dynamic_bytes) {
  size_t dynamic_piece = kNoPiece;
  for (const kernel::MemoryObject& object : program.memory) {
    piece_of_.push_back(kNoPiece);
    if (object.space != space) continue;
    piece_of_.back() = pieces_.size();
    if (object.dynamic) {
      if (dynamic_piece != kNoPiece) piece_of_.back() = dynamic_piece;
      dynamic_piece = piece_of_.back();
    }
    if (piece_of_.back() < pieces_.size()) continue;
    constexpr size_t kDynamicAlign = 64;
    pieces_.push_back(object.dynamic ? make_piece(dynamic_bytes, kDynamicAlign)
                                     : make_piece(object.count_elems * size_bytes(object.dtype), object.align_bytes));
    if (!object.init.empty()) {
      std::memcpy(reinterpret_cast<void*>(pieces_.back().begin), object.init.data(), object.init.size());
    }
  }
}

DeclaredMemory::Piece DeclaredMemory::make_piece(size_t size_bytes, size_t align_bytes) {
  Piece piece;
  piece.storage.assign(size_bytes + align_bytes, kUninitialised);
  const auto start = reinterpret_cast<uint64_t>(piece.storage.data());
  piece.begin = (start + align_bytes - 1) / align_bytes * align_bytes;
  piece.size_bytes = size_bytes;
  return piece;
}

uint64_t DeclaredMemory::base(uint32_t object) const {
  JITC_CHECK(piece_of_[object] != kNoPiece, "the object is of another space");
  return pieces_[piece_of_[object]].begin;
}

bool DeclaredMemory::holds(uint64_t address, size_t size_bytes) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return address >= piece.begin && address - piece.begin <= piece.size_bytes &&
           piece.size_bytes - (address - piece.begin) >= size_bytes;
  });
}

}  // namespace jitc::reference
