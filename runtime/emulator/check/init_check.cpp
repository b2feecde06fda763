#include "runtime/emulator/check/init_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/check/alu_shadow.hpp"
#include "runtime/emulator/exec/meeting.hpp"

namespace jitc::emulator {
namespace {

FrameShadow& shadow_of(Frame& frame) {
  if (frame.notes == nullptr) frame.notes = std::make_unique<FrameShadow>(*frame.function->decoded);
  return static_cast<FrameShadow&>(*frame.notes);
}

/// Null for a constant, which is defined.
RegisterShadow* shadow_of(Frame& frame, Slot slot) {
  return slot.index < 0 ? nullptr : &shadow_of(frame).registers[static_cast<size_t>(slot.index)];
}

void define(Frame& frame, Slot slot, uint32_t lanes) {
  if (RegisterShadow* shadow = shadow_of(frame, slot)) shadow->define(lanes);
}

Undefined value_of(Frame& frame, Slot slot, uint32_t lane) {
  const RegisterShadow* shadow = shadow_of(frame, slot);
  return shadow == nullptr ? Undefined() : shadow->of(lane);
}

Bits low_bits(uint32_t size_bytes) { return ~Bits{0} >> (64 - 8 * size_bytes); }

const CallSite& call_at(const Group& group, const Step& step) {
  return group.frame->function->decoded->calls[step.index];
}

const Access& access_of(const Group& group, const Step& step) {
  return group.frame->function->decoded->accesses[step.index];
}

/// What each lane brings to a shuffle: nothing that is defined from those that did not come.
struct Brought {
  std::array<Undefined, kLanes> values;
  std::array<Origin, kLanes> origins;
};

Brought brought_by(std::span<const Group* const> groups, const Step& step) {
  Brought brought;
  brought.values.fill({~Bits{0}, false});
  const Group& first = *groups.front();
  brought.origins.fill({Origin::Kind::absent_lane, Area::local, first.frame->function->decoded, first.step, 0, 0});
  for (const Group* group : groups) {
    for_lanes(group->lanes, [&](uint32_t lane) {
      brought.values[lane] = value_of(*group->frame, step.src[0], lane);
      if (brought.values[lane].bits != 0) brought.origins[lane] = shadow_of(*group->frame, step.src[0])->origin(lane);
    });
  }
  return brought;
}

void take_shuffled(const Group& group, const Step& step, const Brought& brought) {
  Frame& frame = *group.frame;
  const Bits* b = frame.source(step.src[1]);
  const Bits* c = frame.source(step.src[2]);
  for_lanes(group.lanes, [&](uint32_t lane) {
    const uint32_t from = shuffle_source(static_cast<MeetingOp>(step.variant), lane, b[lane], c[lane]).lane & 31;
    shadow_of(frame, step.dst)->set(lane, brought.values[from], brought.origins[from]);
  });
}

}  // namespace

/// Which step uses something.
struct InitCheck::Use {
  Warp& warp;
  Frame& frame;
  uint32_t step;
};

InitCheck::InitCheck(const LaunchFacts& facts)
    : facts_(facts), global_(*facts.memory), shared_(facts.shared_bytes), local_(Block::count_warps(facts.block)) {}

ByteShadow& InitCheck::local(const Warp& warp) {
  auto& local = local_[warp.index];
  if (local == nullptr) local = std::make_unique<ByteShadow>(uint64_t{facts_.local_bytes} * kLanes);
  return *local;
}

std::string InitCheck::origin_text(const Origin& origin) const {
  if (origin.kind == Origin::Kind::never_written) return "no instruction has written the register it comes from";
  const std::string line = fmt::format("PTX line {}", origin.function->steps[origin.step].line);
  if (origin.kind == Origin::Kind::result) return fmt::format("{} returned it at {}", origin.function->name, line);
  if (origin.kind == Origin::Kind::absent_lane)
    return fmt::format("at {} it was taken from a lane that did not come", line);
  const Fault access = {FaultKind::uninitialised, origin.area,       false,           0,
                        origin.address,           origin.size_bytes, origin.function, origin.step};
  return fmt::format("it was read at {} from {}, where nothing has been written", line, facts_.describe(access));
}

bool InitCheck::report(const Use& use, uint32_t lane, const Origin& origin, std::string_view how) {
  use.warp.fault = {FaultKind::uninitialised, Area::generic, false, lane, 0, 0, use.frame.function->decoded, use.step};
  message_ = fmt::format("it {}; {}", how, origin_text(origin));
  return false;
}

/// False with a report where a lane's value is undefined. Of a predicate one bit counts.
bool InitCheck::may_use(const Use& use, Slot slot, uint32_t lanes, std::string_view how) {
  const RegisterShadow* shadow = shadow_of(use.frame, slot);
  const uint32_t undefined = shadow == nullptr ? 0 : shadow->lanes() & lanes;
  if (undefined == 0) return true;
  const auto lane = first_lane(undefined);
  return report(use, lane, shadow->origin(lane), how);
}

bool InitCheck::step(Warp& warp, const Group& group, const Step& step, uint32_t lanes) {
  Frame& frame = *group.frame;
  const Use use = {warp, frame, group.step};
  const bool is_branch = step.action == Action::branch;
  if (!may_use(use, step.guard, group.lanes, is_branch ? "decides a branch" : "guards the instruction")) return false;
  switch (step.action) {
    case Action::alu: shadow_alu(frame, shadow_of(frame), step, lanes); return true;
    case Action::frame_address:
    case Action::read_clock: define(frame, step.dst, ~uint32_t{0}); return true;
    // Before the access looks whether there is anything at that address.
    case Action::load:
    case Action::store:
    case Action::atomic:
    case Action::reduce: return may_use(use, access_of(group, step).base, lanes, "is used as an address");
    case Action::branch_indexed: return may_use(use, step.src[0], lanes, "chooses a branch");
    case Action::call:
      for (const Transfer& result : call_at(group, step).results) define(frame, result.slot, lanes);
      return may_use(use, call_at(group, step).address, lanes, "is the address of a call");
    default: return true;
  }
}

bool InitCheck::access(Warp& warp, const Group& group, const Step& step, const ObservedAccess& access) {
  const Use use = {warp, *group.frame, group.step};
  if (step.action == Action::load) return load(use, access);
  return step.action == Action::store ? store(use, access) : update(use, access);
}

bool InitCheck::load(const Use& use, const ObservedAccess& access) {
  const uint32_t size = access.size_bytes / access.access.count;
  const bool is_signed = kind_of(access.access.type) == TypeKind::signed_integer;
  for (uint32_t i = 0; i < access.access.count; ++i) {
    RegisterShadow* shadow = shadow_of(use.frame, access.access.values[i]);
    if (shadow == nullptr) continue;
    for (const LaneAccess& lane : access.lanes) {
      const Origin origin = {Origin::Kind::memory,    lane.area, use.frame.function->decoded, use.step,
                             lane.address + i * size, size};
      Undefined value = load_shadow(use.warp, lane, i * size, size);
      const bool extends = is_signed && (value.bits >> (8 * size - 1) & 1) != 0;
      if (extends) value.bits |= ~low_bits(size);
      shadow->set(lane.lane, value, origin);
    }
  }
  return true;
}

bool InitCheck::store(const Use& use, const ObservedAccess& access) {
  const uint32_t size = access.size_bytes / access.access.count;
  for (uint32_t i = 0; i < access.access.count; ++i) {
    const Slot slot = access.access.values[i];
    for (const LaneAccess& lane : access.lanes) {
      Undefined value = value_of(use.frame, slot, lane.lane);
      value.bits &= low_bits(size);
      if (lane.area == Area::global && value.bits != 0 && value.is_computed)
        return report(use, lane.lane, shadow_of(use.frame, slot)->origin(lane.lane),
                      "goes into a result that is stored to global memory");
      store_shadow(use.warp, lane, i * size, size, value);
    }
  }
  return true;
}

/// An exchange is a store and a load; all else computes. Of 128 bits each half has a row of its own.
bool InitCheck::update(const Use& use, const ObservedAccess& access) {
  const Step& step = use.frame.function->decoded->steps[use.step];
  const uint32_t size = std::min(access.size_bytes, 8u);
  for (uint32_t offset = 0; offset < access.size_bytes; offset += size) {
    const auto half = [&](Slot slot) { return offset == 0 || slot.is_none() ? slot : slot.upper_half(); };
    uint32_t lanes = 0;
    for (const LaneAccess& lane : access.lanes) {
      lanes |= uint32_t{1} << lane.lane;
      const Undefined old = load_shadow(use.warp, lane, offset, size);
      const Origin origin = {Origin::Kind::memory,  lane.area, use.frame.function->decoded, use.step,
                             lane.address + offset, size};
      if (old.bits != 0 && access.access.op != AtomicOp::exchange)
        return report(use, lane.lane, origin, "is what an atomic operation begins with");
      store_shadow(use.warp, lane, offset, size, {});
      if (RegisterShadow* result = shadow_of(use.frame, half(step.dst))) result->set(lane.lane, old, origin);
    }
    for (const Slot operand : {step.src[0], step.src[1]}) {
      if (!may_use(use, half(operand), lanes, "is an operand of an atomic operation")) return false;
    }
  }
  return true;
}

Undefined InitCheck::load_shadow(const Warp& warp, const LaneAccess& lane, uint64_t offset, uint32_t size_bytes) {
  const uint64_t address = lane.address + offset;
  if (lane.area == Area::shared) return shared_.load(address, size_bytes);
  if (lane.area == Area::local) return local(warp).load(local_offset(lane.lane, address), size_bytes);
  if (lane.area != Area::global) return {};
  const Allocation* holder = global_.holder(address, size_bytes);
  if (holder == nullptr || holder->undefined == nullptr) return {};
  Undefined value;
  for (uint32_t i = 0; i < size_bytes; ++i)
    value.bits |= Bits{holder->undefined->of_byte(holder->offset_of(address) + i)} << 8 * i;
  return value;
}

void InitCheck::store_shadow(const Warp& warp, const LaneAccess& lane, uint64_t offset, uint32_t size_bytes,
                             const Undefined& value) {
  const uint64_t address = lane.address + offset;
  if (lane.area == Area::shared) return shared_.store(address, size_bytes, value);
  if (lane.area == Area::local) return local(warp).store(local_offset(lane.lane, address), size_bytes, value);
  const Allocation* holder = global_.holder(address, size_bytes);
  if (holder == nullptr || holder->undefined == nullptr) return;
  for (uint32_t i = 0; i < size_bytes; ++i)
    holder->undefined->set_byte(holder->offset_of(address) + i, static_cast<uint8_t>(value.bits >> 8 * i));
}

/// A shuffle moves values; all else that lanes do together looks at them.
bool InitCheck::meet(Warp& warp, std::span<const Group* const> groups, const Step& step) {
  const bool is_shuffle = step.action == Action::shuffle;
  for (const Group* group : groups) {
    const Use use = {warp, *group->frame, group->step};
    for (size_t i = is_shuffle ? 1 : 0; i < step.src.size(); ++i) {
      if (!may_use(use, step.src[i], group->lanes, "is an operand of what lanes do together")) return false;
    }
  }
  const Brought brought = is_shuffle ? brought_by(groups, step) : Brought();
  for (const Group* group : groups) {
    define(*group->frame, step.second, group->lanes);
    define(*group->frame, step.dst, group->lanes);
    if (is_shuffle && !step.dst.is_none()) take_shuffled(*group, step, brought);
  }
  return true;
}

bool InitCheck::arrive(Warp& warp, const Group& group, const Step& step, const Arrival&) {
  const Use use = {warp, *group.frame, group.step};
  for (const Slot slot : step.src) {
    if (!may_use(use, slot, group.lanes, "is an operand of a barrier")) return false;
  }
  define(*group.frame, step.dst, group.lanes);
  return true;
}

/// The callee's part of local memory is new, but for its arguments.
void InitCheck::called(Warp& warp, const Group& group) {
  Frame& callee = *group.frame;
  Frame& caller = *callee.caller;
  ByteShadow& bytes = local(warp);
  const uint32_t size = callee.function->decoded->frame_bytes;
  for_lanes(group.lanes, [&](uint32_t lane) {
    bytes.forget(local_offset(lane, callee.local_base_bytes), size);
    for (const Transfer& argument : callee.call->arguments) {
      const uint64_t to = local_offset(lane, uint64_t{callee.local_base_bytes} + argument.callee_offset_bytes);
      const uint64_t from = local_offset(lane, uint64_t{caller.local_base_bytes} + argument.caller_offset_bytes);
      if (argument.slot.is_none())
        ByteShadow::copy(bytes, from, bytes, to, argument.size_bytes);
      else
        bytes.store(to, argument.size_bytes, value_of(caller, argument.slot, lane));
    }
  });
}

void InitCheck::returned(Warp& warp, const Group& group) {
  Frame& callee = *group.frame;
  Frame& caller = *callee.caller;
  ByteShadow& bytes = local(warp);
  for_lanes(group.lanes, [&](uint32_t lane) {
    for (const Transfer& result : callee.call->results) {
      const uint64_t from = local_offset(lane, uint64_t{callee.local_base_bytes} + result.callee_offset_bytes);
      const uint64_t to = local_offset(lane, uint64_t{caller.local_base_bytes} + result.caller_offset_bytes);
      if (result.slot.is_none())
        ByteShadow::copy(bytes, from, bytes, to, result.size_bytes);
      else if (RegisterShadow* shadow = shadow_of(caller, result.slot))
        shadow->set(lane, bytes.load(from, result.size_bytes),
                    {Origin::Kind::result, Area::local, callee.function->decoded, group.step});
    }
  });
}

}  // namespace jitc::emulator
