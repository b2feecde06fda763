#include "runtime/emulator/exec/calls.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/exec/access.hpp"
#include "runtime/emulator/exec/observer.hpp"

namespace jitc::emulator {
namespace {

bool fail(Warp& warp, const Group& group, FaultKind kind, uint64_t address) {
  warp.fault = {kind,      Area::local, false, first_lane(group.lanes), address, 0, group.frame->function->decoded,
                group.step};
  return false;
}

/// Of the first lane: all of the group call the same function.
const uint32_t* callee_of(const Warp& warp, const Group& group, const CallSite& call) {
  if (call.address.is_none()) return &call.callee;
  const Bits address = group.frame->source(call.address)[first_lane(group.lanes)];
  const auto found = warp.program->function_by_address.find(address);
  return found == warp.program->function_by_address.end() ? nullptr : &found->second;
}

void copy_argument(Warp& warp, const Frame& caller, const Frame& callee, const Transfer& transfer, uint32_t lane) {
  const uint64_t to = callee.local_base_bytes + transfer.callee_offset_bytes;
  std::byte* bytes = local_bytes(warp, lane, to, transfer.size_bytes, true);
  if (!transfer.slot.is_none()) {
    std::memcpy(bytes, &caller.source(transfer.slot)[lane], transfer.size_bytes);
    return;
  }
  const uint64_t from = caller.local_base_bytes + transfer.caller_offset_bytes;
  std::memcpy(bytes, local_bytes(warp, lane, from, transfer.size_bytes, false), transfer.size_bytes);
}

void copy_result(Warp& warp, Frame& caller, const Frame& callee, const Transfer& transfer, uint32_t lane) {
  const uint64_t from = callee.local_base_bytes + transfer.callee_offset_bytes;
  const std::byte* bytes = local_bytes(warp, lane, from, transfer.size_bytes, false);
  if (!transfer.slot.is_none()) {
    Bits bits = 0;
    std::memcpy(&bits, bytes, transfer.size_bytes);
    caller.row(transfer.slot)[lane] = bits;
    return;
  }
  const uint64_t to = caller.local_base_bytes + transfer.caller_offset_bytes;
  std::memcpy(local_bytes(warp, lane, to, transfer.size_bytes, true), bytes, transfer.size_bytes);
}

/// Frames begin at the strictest alignment of an access. Each takes at least so much, so that calls without end do end.
constexpr uint64_t kFrameAlignBytes = 16;
/// Beyond every limit; an alloca may have asked for anything.
constexpr uint64_t kMostLocalBytes = uint64_t{1} << 32;

/// Behind the caller's frame, and behind what any of the lanes has taken by alloca.
uint64_t next_frame(const Frame& caller, uint32_t lanes) {
  const DecodedFunction& function = *caller.function->decoded;
  uint64_t end = uint64_t{caller.local_base_bytes} + function.frame_bytes;
  if (!function.stack.is_none()) {
    for_lanes(lanes, [&](uint32_t lane) { end = std::max(end, caller.source(function.stack)[lane]); });
    end = std::min(end, kMostLocalBytes);
  }
  return end / kFrameAlignBytes * kFrameAlignBytes + kFrameAlignBytes;
}

const CallSite& call_at(const Group& group) {
  const DecodedFunction& function = *group.frame->function->decoded;
  return function.calls[function.steps[group.step].index];
}

}  // namespace

bool run_call(Warp& warp, Group& group, const Step& step) {
  const CallSite& call = group.frame->function->decoded->calls[step.index];
  const uint32_t* callee = callee_of(warp, group, call);
  if (callee == nullptr) return fail(warp, group, FaultKind::bad_call, 0);
  const Frame& caller = *group.frame;
  const uint64_t base = next_frame(caller, group.lanes);
  const uint32_t size = warp.program->functions[*callee].decoded->frame_bytes;
  if (base + size > warp.local_limit_bytes) return fail(warp, group, FaultKind::stack_overflow, base + size);
  std::shared_ptr<Frame> frame = make_frame(warp, *callee);
  frame->caller = group.frame;
  frame->call = &call;
  frame->return_step = group.step + 1;
  frame->depth = group.frame->depth + 1;
  frame->local_base_bytes = static_cast<uint32_t>(base);
  for (const Transfer& transfer : call.arguments) {
    for_lanes(group.lanes, [&](uint32_t lane) { copy_argument(warp, caller, *frame, transfer, lane); });
  }
  group.frame = std::move(frame);
  group.step = 0;
  if (warp.observer != nullptr) warp.observer->called(warp, group);
  return true;
}

bool run_return(Warp& warp, Group& group) {
  const std::shared_ptr<Frame> callee = group.frame;
  if (callee->caller == nullptr) return false;
  for (const Transfer& transfer : callee->call->results) {
    for_lanes(group.lanes, [&](uint32_t lane) { copy_result(warp, *callee->caller, *callee, transfer, lane); });
  }
  if (warp.observer != nullptr) warp.observer->returned(warp, group);
  group.step = callee->return_step;
  group.frame = callee->caller;
  return true;
}

Bits argument_of(Warp& warp, const Group& group, size_t nth, uint32_t lane) {
  const Frame& frame = *group.frame;
  const Transfer& transfer = call_at(group).arguments[nth];
  const uint64_t from = uint64_t{frame.local_base_bytes} + transfer.caller_offset_bytes;
  const void* bytes = transfer.slot.is_none()
                          ? static_cast<void*>(local_bytes(warp, lane, from, transfer.size_bytes, false))
                          : &frame.source(transfer.slot)[lane];
  Bits value = 0;
  std::memcpy(&value, bytes, std::min<size_t>(transfer.size_bytes, sizeof value));
  return value;
}

void set_result(Warp& warp, const Group& group, uint32_t lane, Bits value) {
  Frame& frame = *group.frame;
  for (const Transfer& transfer : call_at(group).results) {
    const uint64_t to = uint64_t{frame.local_base_bytes} + transfer.caller_offset_bytes;
    if (!transfer.slot.is_none())
      frame.row(transfer.slot)[lane] = value;
    else
      std::memcpy(local_bytes(warp, lane, to, transfer.size_bytes, true), &value,
                  std::min<size_t>(transfer.size_bytes, sizeof value));
  }
}

}  // namespace jitc::emulator
