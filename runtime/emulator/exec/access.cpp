#include "runtime/emulator/exec/access.hpp"

#include <array>
#include <utility>

#include "runtime/emulator/alu/integer_range.hpp"
#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/exec/atomic.hpp"
#include "runtime/emulator/exec/observer.hpp"
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

/// What the accesses of all lanes at a step have in common. The bits of a register of that width count for an address
/// in a small space.
class LaneRequests {
 public:
  LaneRequests(const Group& group, const Access& access, bool is_write)
      : common_{access.area, is_write, 0, static_cast<uint64_t>(access.offset_bytes),
                size_bytes(access.type) * access.count},  // a power of two
        base_(access.base.is_none() ? nullptr : group.frame->source(access.base)) {
    if (access.is_frame_relative) common_.address += group.frame->local_base_bytes;
    const bool is_small =
        access.area == Area::shared || access.area == Area::local || access.area == Area::kernel_param;
    if (is_small) mask_ = UINT32_MAX;
  }

  MemoryRequest operator()(uint32_t lane) const {
    MemoryRequest request = common_;
    request.lane = lane;
    if (base_ != nullptr) request.address += base_[lane];
    request.address &= mask_;
    if (request.area == Area::generic) leave_generic_space(request);
    return request;
  }

 private:
  MemoryRequest common_;
  const Bits* base_;
  uint64_t mask_ = ~uint64_t{0};
};

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

/// What is wrong with an access that finds no bytes: constant memory has generic addresses too.
FaultKind problem_of(const Warp& warp, MemoryRequest request) {
  const bool was_write = std::exchange(request.is_write, false);
  return was_write && warp.memory->find(request) != nullptr ? FaultKind::write_to_constant : FaultKind::out_of_bounds;
}

/// The bytes of a lane's access; null with warp.fault.
std::byte* find(Warp& warp, const Group& group, const MemoryRequest& request) {
  if ((request.address & (request.size_bytes - 1)) != 0)
    return fail(warp, group, request, FaultKind::misaligned), nullptr;
  const bool is_read_only = request.area == Area::constant || request.area == Area::kernel_param;
  if (request.is_write && is_read_only) return fail(warp, group, request, FaultKind::write_to_constant), nullptr;
  std::byte* bytes = warp.memory->find(request);
  if (bytes == nullptr) fail(warp, group, request, problem_of(warp, request));
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

Bits load_bits(const std::byte* bytes, Type type, uint32_t size_bytes, bool is_signed) {
  const Bits bits = load_word(bytes, size_bytes);
  return is_signed ? integer_bits(static_cast<Signed128>(bits), type) : bits;
}

const Access& access_of(const Group& group, const Step& step) {
  return group.frame->function->decoded->accesses[step.index];
}

/// Whether the operation left another value there.
bool changes(const Access& access, Bits old, Bits first, Bits second) {
  const Bits mask = ~Bits{0} >> (64 - width_bits(access.type));
  return ((updated(access.op, access.type, old, first, second) ^ old) & mask) != 0;
}

/// Of 128 bits: values and result are two rows each.
bool run_wide_atomic(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  const Access& access = access_of(group, step);
  const LaneRequests requests(group, access, true);
  Frame& frame = *group.frame;
  const auto value = [&](size_t i, uint32_t lane) -> WideBits {
    if (step.src[i].is_none()) return {};
    return {frame.source(step.src[i])[lane], frame.source(step.src[i].upper_half())[lane]};
  };
  return all_lanes(lanes, [&](uint32_t lane) {
    std::byte* bytes = find(warp, group, requests(lane));
    if (bytes == nullptr) return false;
    const WideBits old = update_wide_atomically(bytes, access.op, value(0, lane), value(1, lane));
    ++warp.count_writes;
    if (step.dst.is_none()) return true;
    frame.row(step.dst)[lane] = old[0];
    frame.row(step.dst.upper_half())[lane] = old[1];
    return true;
  });
}

}  // namespace

bool run_load(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  const Access& access = access_of(group, step);
  const LaneRequests requests(group, access, false);
  const uint32_t size = size_bytes(access.type);
  const bool is_signed = kind_of(access.type) == TypeKind::signed_integer;
  return all_lanes(lanes, [&](uint32_t lane) {
    const std::byte* bytes = find(warp, group, requests(lane));
    if (bytes == nullptr) return false;
    for (uint32_t i = 0; i < access.count; ++i) {
      if (!access.values[i].is_none())
        group.frame->row(access.values[i])[lane] = load_bits(bytes + i * size, access.type, size, is_signed);
    }
    return true;
  });
}

bool run_store(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  if (lanes != 0) ++warp.count_writes;
  const Access& access = access_of(group, step);
  const LaneRequests requests(group, access, true);
  const uint32_t size = size_bytes(access.type);
  return all_lanes(lanes, [&](uint32_t lane) {
    std::byte* bytes = find(warp, group, requests(lane));
    if (bytes == nullptr) return false;
    for (uint32_t i = 0; i < access.count; ++i) {
      store_word(bytes + i * size, size, group.frame->source(access.values[i])[lane]);
    }
    return true;
  });
}

bool run_atomic(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  const Access& access = access_of(group, step);
  if (access.type == Type::b128) return run_wide_atomic(warp, group, step, lanes);
  const LaneRequests requests(group, access, true);
  Frame& frame = *group.frame;
  return all_lanes(lanes, [&](uint32_t lane) {
    std::byte* bytes = find(warp, group, requests(lane));
    if (bytes == nullptr) return false;
    const Bits first = frame.source(step.src[0])[lane];
    const Bits second = step.src[1].is_none() ? 0 : frame.source(step.src[1])[lane];
    const Bits old = update_atomically(bytes, access.op, access.type, first, second);
    if (changes(access, old, first, second)) ++warp.count_writes;
    if (!step.dst.is_none()) frame.row(step.dst)[lane] = old;
    return true;
  });
}

bool observe_access(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  const Access& access = access_of(group, step);
  const LaneRequests requests(group, access, step.action != Action::load);
  std::array<LaneAccess, kLanes> seen;
  size_t count = 0;
  const bool are_good = all_lanes(lanes, [&](uint32_t lane) {
    const MemoryRequest request = requests(lane);
    std::byte* bytes = find(warp, group, request);
    seen[count++] = {lane, request.area, request.address, bytes};
    return bytes != nullptr;
  });
  if (!are_good || count == 0) return are_good;
  const ObservedAccess observed = {access, size_bytes(access.type) * access.count, std::span(seen.data(), count)};
  return warp.observer->access(warp, group, step, observed);
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
