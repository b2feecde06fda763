#include "tests/fakes/copies.hpp"

#include <cstring>
#include <string>

#include "tests/fakes/state.hpp"

namespace jitc::tests::fake {

namespace {

unsigned char* bytes_at(uintptr_t address) {
  return reinterpret_cast<unsigned char*>(address);  // NOLINT(performance-no-int-to-ptr)
}

void copy_rows(const Rows& dst, const Rows& src) {
  for (size_t row = 0; row < dst.height; ++row)
    std::memmove(bytes_at(dst.base + row * dst.pitch_bytes), bytes_at(src.base + row * src.pitch_bytes),
                 dst.width_bytes);
}

bool is_unknown_host(const Side& side) { return side.is_host && side.allocation == nullptr; }

std::vector<AllocationPtr> allocations_of(const Copy& copy) {
  std::vector<AllocationPtr> used;
  for (const Side* side : {&copy.dst, &copy.src}) {
    if (side->allocation != nullptr) used.push_back(side->allocation);
  }
  return used;
}

std::string too_long(const Side& side) {
  return std::to_string(side.rows.extent_bytes()) + " bytes at offset " +
         std::to_string(side.rows.base - side.allocation->base) + " leave an allocation of " +
         std::to_string(side.allocation->size_bytes);
}

}  // namespace

Rows one_row(uintptr_t base, size_t size_bytes) { return {base, size_bytes, size_bytes, size_bytes == 0 ? 0u : 1u}; }

bool find_side(Function function, const char* which, Side& side) {
  if (side.rows.height == 0) return true;
  side.allocation = world().memory.containing(side.rows.base);
  if (side.allocation == nullptr) {
    if (side.is_host && !world().memory.was_freed(side.rows.base)) return true;
    const char* what = world().memory.was_freed(side.rows.base) ? " is free" : " is no device memory";
    misuse(function, std::string("the ") + which + what);
    return false;
  }
  const uintptr_t end = side.rows.base + side.rows.extent_bytes();
  const bool is_too_long = end > side.allocation->base + side.allocation->size_bytes;
  if (side.is_host && !is_host_memory(*side.allocation)) {
    misuse(function, std::string("the ") + which + " is device memory");
  } else if (is_too_long && (!side.is_host || side.allocation->kind == MemoryKind::pinned)) {
    misuse(function, std::string("the ") + which + ": " + too_long(side));
  } else {
    return true;
  }
  return false;
}

Work work_of(Function function, const Copy& copy) {
  Work work{.function = function, .uses = allocations_of(copy), .run = {}};
  if (!is_unknown_host(copy.src)) {
    work.run = [copy](CUresult) { copy_rows(copy.dst.rows, copy.src.rows); };
    return work;
  }
  std::vector<unsigned char> staged(copy.src.rows.width_bytes * copy.src.rows.height);
  Rows rows = {reinterpret_cast<uintptr_t>(staged.data()), copy.src.rows.width_bytes, copy.src.rows.width_bytes,
               copy.src.rows.height};
  copy_rows(rows, copy.src.rows);
  work.run = [copy, rows, staged = std::move(staged)](CUresult) {
    Rows from = rows;
    from.base = reinterpret_cast<uintptr_t>(staged.data());
    copy_rows(copy.dst.rows, from);
  };
  return work;
}

bool waits_for_host(const Copy& copy) { return is_unknown_host(copy.dst); }

Work work_of_fill(Function function, const Side& dst, unsigned char value) {
  Work work{.function = function, .uses = {}, .run = {}};
  if (dst.allocation != nullptr) work.uses.push_back(dst.allocation);
  work.run = [rows = dst.rows, value](CUresult) {
    for (size_t row = 0; row < rows.height; ++row)
      std::memset(bytes_at(rows.base + row * rows.pitch_bytes), value, rows.width_bytes);
  };
  return work;
}

}  // namespace jitc::tests::fake
