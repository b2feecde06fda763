#include "runtime/emulator/driver/copies.hpp"

#include <fmt/format.h>

#include <cstring>

#include "runtime/emulator/memory/address_ranges.hpp"

namespace jitc::emulator::driver {
namespace {

std::byte* host_bytes(uint64_t address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr): one address space
}

void copy_rows(const Rows& shape, std::byte* dst, size_t dst_pitch, const std::byte* src, size_t src_pitch) {
  for (size_t row = 0; row < shape.height; ++row)
    std::memmove(dst + row * dst_pitch, src + row * src_pitch, shape.width_bytes);
}

UndefinedBits* undefined_of(const Side& side) {
  return side.allocation == nullptr ? nullptr : side.allocation->undefined.get();
}

uint64_t offset_of_row(const Side& side, size_t row) {
  return side.allocation->offset_of(side.rows.address + row * side.rows.pitch_bytes);
}

/// What a copy makes of the destination's undefined bits; a fill where `src` is null.
void shadow_rows(const Side& dst, const Side* src) {
  UndefinedBits* to = undefined_of(dst);
  const UndefinedBits* from = src == nullptr ? nullptr : undefined_of(*src);
  for (size_t row = 0; to != nullptr && row < dst.rows.height; ++row) {
    if (from == nullptr)
      to->define(offset_of_row(dst, row), dst.rows.width_bytes);
    else
      to->copy(offset_of_row(dst, row), *from, offset_of_row(*src, row), dst.rows.width_bytes);
  }
}

bool was_freed(const Side& side) { return side.allocation != nullptr && side.allocation->is_freed; }

/// Memory that was freed before its work's turn came.
CUresult freed_meanwhile(const Side& side) {
  const std::lock_guard lock(state().mutex);
  return report(CUDA_ERROR_ILLEGAL_ADDRESS,
                fmt::format("the memory at {:#x} was freed before the copy's or fill's turn came", side.rows.address));
}

CUresult run(const Copy& copy, const std::byte* src, size_t src_pitch) {
  if (was_freed(copy.dst)) return freed_meanwhile(copy.dst);
  if (was_freed(copy.src)) return freed_meanwhile(copy.src);
  copy_rows(copy.dst.rows, copy.dst.bytes(), copy.dst.rows.pitch_bytes, src, src_pitch);
  shadow_rows(copy.dst, &copy.src);
  return CUDA_SUCCESS;
}

std::string too_long(const char* which, const Side& side) {
  return fmt::format("the {}: {} bytes at offset {} leave an allocation of {}", which, side.rows.extent_bytes(),
                     side.allocation->offset_of(side.rows.address), side.allocation->size_bytes);
}

/// Of an address in no live allocation.
CUresult check_unknown(const char* which, const Side& side) {
  const bool was_freed = state().memory.was_freed(side.rows.address);
  if (side.is_host && !was_freed && !is_device_address(side.rows.address)) {
    const bool is_null = side.rows.address == 0;
    return is_null ? report(CUDA_ERROR_INVALID_VALUE, fmt::format("the {} is null", which)) : CUDA_SUCCESS;
  }
  return report(CUDA_ERROR_INVALID_VALUE, fmt::format("the {} at {:#x} {}", which, side.rows.address,
                                                      was_freed ? "is free" : "is no memory of a device"));
}

}  // namespace

std::byte* Side::bytes() const {
  return allocation == nullptr ? host_bytes(rows.address) : allocation->bytes + allocation->offset_of(rows.address);
}

CUresult find_side(const char* which, Side& side) {
  if (side.rows.height == 0) return CUDA_SUCCESS;
  side.allocation = state().memory.containing(side.rows.address);
  if (side.allocation == nullptr) return check_unknown(which, side);
  const MemoryKind kind = side.allocation->owner.kind;
  if (side.is_host && !is_host_memory(kind))
    return report(CUDA_ERROR_INVALID_VALUE, fmt::format("the {} is memory of a device", which));
  if (side.allocation->contains(side.rows.address, side.rows.extent_bytes())) return CUDA_SUCCESS;
  // Registered memory is part of more that the host has.
  if (side.is_host && kind == MemoryKind::registered) return CUDA_SUCCESS;
  return report(CUDA_ERROR_INVALID_VALUE, too_long(which, side));
}

CUresult find_sides(Copy& copy) {
  const CUresult code = find_side("destination", copy.dst);
  return code == CUDA_SUCCESS ? find_side("source", copy.src) : code;
}

Work work_of(const Copy& copy) {
  if (!copy.src.is_unknown_host() || copy.src.rows.height == 0)
    return {.run = [copy](CUresult) { return run(copy, copy.src.bytes(), copy.src.rows.pitch_bytes); }, .after = {}};
  const Rows& rows = copy.src.rows;
  const HostBytes staged = make_host_bytes(rows.width_bytes * rows.height);
  copy_rows(rows, staged.get(), rows.width_bytes, copy.src.bytes(), rows.pitch_bytes);
  return {.run = [copy, staged](CUresult) { return run(copy, staged.get(), copy.src.rows.width_bytes); }, .after = {}};
}

Work work_of_fill(const Side& dst, unsigned char value) {
  const auto run = [dst, value](CUresult) {
    if (was_freed(dst)) return freed_meanwhile(dst);
    for (size_t row = 0; row < dst.rows.height; ++row)
      std::memset(dst.bytes() + row * dst.rows.pitch_bytes, value, dst.rows.width_bytes);
    shadow_rows(dst, nullptr);
    return CUDA_SUCCESS;
  };
  return {.run = run, .after = {}};
}

}  // namespace jitc::emulator::driver
