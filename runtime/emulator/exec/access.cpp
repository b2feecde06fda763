#include "runtime/emulator/exec/access.hpp"

#include <bit>

#include "runtime/emulator/alu/integer_range.hpp"
#include "runtime/emulator/exec/atomic.hpp"
#include "runtime/emulator/program/address_space.hpp"

namespace jitc::emulator {
namespace {

/// A generic address in its own space. What lies in no window is global.
void leave_generic_space(MemoryRequest& request) {
  const auto enter = [&](const Window& window, Area area) {
    if (!window.contains(request.address)) return false;
    request.area = area;
    request.address -= window.base;
    return true;
  };
  if (enter(kSharedWindow, Area::shared) || enter(kLocalWindow, Area::local)) return;
  if (!enter(kParamWindow, Area::kernel_param)) request.area = Area::global;
}

/// The bits of a register of that width count for an address in a small space.
uint64_t address_of(const Frame& frame, const Access& access, uint32_t lane) {
  uint64_t address = static_cast<uint64_t>(access.offset_bytes);
  if (!access.base.is_none()) address += frame.source(access.base)[lane];
  if (access.is_frame_relative) address += frame.local_base_bytes;
  const bool is_small = access.area == Area::shared || access.area == Area::local || access.area == Area::kernel_param;
  return is_small ? address & UINT32_MAX : address;
}

bool fail(Warp& warp, const Group& group, const MemoryRequest& request, FaultKind kind) {
  warp.fault = {kind,
                request.area,
                request.is_write,
                request.lane,
                request.address,
                request.size_bytes,
                group.frame->function->decoded,
                group.step};
  return false;
}

/// The bytes of a lane's access; null with warp.fault.
std::byte* find(Warp& warp, const Group& group, const Access& access, uint32_t lane, bool is_write) {
  const uint32_t size = size_bytes(access.type) * access.count;  // a power of two
  MemoryRequest request = {access.area, is_write, lane, address_of(*group.frame, access, lane), size};
  if (request.area == Area::generic) leave_generic_space(request);
  if ((request.address & (size - 1)) != 0) return fail(warp, group, request, FaultKind::misaligned), nullptr;
  const bool is_read_only = request.area == Area::constant || request.area == Area::kernel_param;
  if (is_write && is_read_only) return fail(warp, group, request, FaultKind::write_to_constant), nullptr;
  std::byte* bytes = warp.memory->find(request);
  if (bytes == nullptr) fail(warp, group, request, FaultKind::out_of_bounds);
  return bytes;
}

/// One access of a host thread, never torn: blocks on other threads may use the same word. The bytes are aligned.
template <class T>
Bits load_word(const std::byte* bytes) {
  return __atomic_load_n(reinterpret_cast<const T*>(bytes), __ATOMIC_RELAXED);
}

template <class T>
void store_word(std::byte* bytes, Bits bits) {
  __atomic_store_n(reinterpret_cast<T*>(bytes), static_cast<T>(bits), __ATOMIC_RELAXED);
}

Bits load_word(const std::byte* bytes, uint32_t size_bytes) {
  switch (size_bytes) {
    case 1: return load_word<uint8_t>(bytes);
    case 2: return load_word<uint16_t>(bytes);
    case 4: return load_word<uint32_t>(bytes);
    default: return load_word<uint64_t>(bytes);
  }
}

void store_word(std::byte* bytes, uint32_t size_bytes, Bits bits) {
  switch (size_bytes) {
    case 1: return store_word<uint8_t>(bytes, bits);
    case 2: return store_word<uint16_t>(bytes, bits);
    case 4: return store_word<uint32_t>(bytes, bits);
    default: return store_word<uint64_t>(bytes, bits);
  }
}

Bits load_bits(const std::byte* bytes, Type type) {
  const Bits bits = load_word(bytes, size_bytes(type));
  return kind_of(type) == TypeKind::signed_integer ? integer_bits(static_cast<Signed128>(bits), type) : bits;
}

template <class Body>
bool for_lanes(uint32_t lanes, Body body) {
  for (; lanes != 0; lanes &= lanes - 1) {
    if (!body(static_cast<uint32_t>(std::countr_zero(lanes)))) return false;
  }
  return true;
}

const Access& access_of(const Group& group, const Step& step) {
  return group.frame->function->decoded->accesses[step.index];
}

/// Whether the operation left another value there.
bool changes(const Access& access, Bits old, Bits first, Bits second) {
  const Bits mask = ~Bits{0} >> (64 - width_bits(access.type));
  return ((updated(access.op, access.type, old, first, second) ^ old) & mask) != 0;
}

}  // namespace

bool run_load(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  const Access& access = access_of(group, step);
  const uint32_t size = size_bytes(access.type);
  return for_lanes(lanes, [&](uint32_t lane) {
    const std::byte* bytes = find(warp, group, access, lane, false);
    if (bytes == nullptr) return false;
    for (uint32_t i = 0; i < access.count; ++i) {
      if (!access.values[i].is_none())
        group.frame->row(access.values[i])[lane] = load_bits(bytes + i * size, access.type);
    }
    return true;
  });
}

bool run_store(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  if (lanes != 0) ++warp.count_writes;
  const Access& access = access_of(group, step);
  const uint32_t size = size_bytes(access.type);
  return for_lanes(lanes, [&](uint32_t lane) {
    std::byte* bytes = find(warp, group, access, lane, true);
    if (bytes == nullptr) return false;
    for (uint32_t i = 0; i < access.count; ++i) {
      store_word(bytes + i * size, size, group.frame->source(access.values[i])[lane]);
    }
    return true;
  });
}

bool run_atomic(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  const Access& access = access_of(group, step);
  Frame& frame = *group.frame;
  return for_lanes(lanes, [&](uint32_t lane) {
    std::byte* bytes = find(warp, group, access, lane, true);
    if (bytes == nullptr) return false;
    const Bits first = frame.source(step.src[0])[lane];
    const Bits second = step.src[1].is_none() ? 0 : frame.source(step.src[1])[lane];
    const Bits old = update_atomically(bytes, access.op, access.type, first, second);
    if (changes(access, old, first, second)) ++warp.count_writes;
    if (!step.dst.is_none()) frame.row(step.dst)[lane] = old;
    return true;
  });
}

std::byte* local_bytes(Warp& warp, uint32_t lane, uint64_t address, uint32_t size_bytes, bool is_write) {
  return warp.memory->find({Area::local, is_write, lane, address, size_bytes});
}

std::byte* generic_bytes(Warp& warp, uint32_t lane, uint64_t address, uint32_t size_bytes) {
  MemoryRequest request = {Area::generic, false, lane, address, size_bytes};
  leave_generic_space(request);
  return warp.memory->find(request);
}

}  // namespace jitc::emulator
