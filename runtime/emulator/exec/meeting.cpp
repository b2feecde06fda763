#include "runtime/emulator/exec/meeting.hpp"

#include <algorithm>
#include <array>

#include "runtime/emulator/alu/integer_range.hpp"
#include "runtime/emulator/alu/lane_mask.hpp"

namespace jitc::emulator {
namespace {

using Lanes = std::array<Bits, kLanes>;

/// The lanes that met, with what they bring, in whatever frames they are.
struct Meeting {
  const Step& step;
  std::span<const Group* const> groups;
  uint32_t lanes = 0;

  Type type() const { return step.alu.rules.to; }
  MeetingOp op() const { return static_cast<MeetingOp>(step.variant); }
  uint32_t first() const { return first_lane(lanes); }

  Lanes source(size_t i) const {
    Lanes values = {};
    for (const Group* group : groups) {
      const Bits* row = group->frame->source(step.src[i]);
      for_lanes(group->lanes, [&](uint32_t lane) { values[lane] = row[lane]; });
    }
    return values;
  }

  void write(Slot slot, const Lanes& values) const {
    if (slot.is_none()) return;
    for (const Group* group : groups) {
      Bits* row = group->frame->row(slot);
      for_lanes(group->lanes, [&](uint32_t lane) { row[lane] = values[lane]; });
    }
  }
};

/// A lane that did not come gives zero: PTX leaves it open.
void shuffle(const Meeting& meeting) {
  const Lanes a = meeting.source(0), b = meeting.source(1), c = meeting.source(2);
  Lanes values = {}, in_range = {};
  for_lanes(meeting.lanes, [&](uint32_t lane) {
    const ShuffleSource from = shuffle_source(meeting.op(), lane, b[lane], c[lane]);
    values[lane] = a[from.lane & 31];
    in_range[lane] = from.is_in_range;
  });
  meeting.write(meeting.step.dst, values);
  meeting.write(meeting.step.second, in_range);
}

void vote(const Meeting& meeting) {
  const Lanes predicates = meeting.source(0);
  uint32_t ballot = 0;
  for_lanes(meeting.lanes, [&](uint32_t lane) { ballot |= static_cast<uint32_t>(predicates[lane] & 1) << lane; });
  Lanes result;
  switch (meeting.op()) {
    case MeetingOp::all: result.fill(ballot == meeting.lanes); break;
    case MeetingOp::any: result.fill(ballot != 0); break;
    case MeetingOp::uni: result.fill(ballot == 0 || ballot == meeting.lanes); break;
    default: result.fill(ballot); break;
  }
  meeting.write(meeting.step.dst, result);
}

uint32_t lanes_with(const Meeting& meeting, const Lanes& values, Bits value) {
  const Bits mask = ~Bits{0} >> (64 - width_bits(meeting.type()));
  uint32_t found = 0;
  for_lanes(meeting.lanes, [&](uint32_t lane) {
    if (((values[lane] ^ value) & mask) == 0) found |= uint32_t{1} << lane;
  });
  return found;
}

void match_any(const Meeting& meeting) {
  const Lanes values = meeting.source(0);
  Lanes result = {};
  for_lanes(meeting.lanes, [&](uint32_t lane) { result[lane] = lanes_with(meeting, values, values[lane]); });
  meeting.write(meeting.step.dst, result);
}

void match_all(const Meeting& meeting) {
  const Lanes values = meeting.source(0);
  const bool are_equal = lanes_with(meeting, values, values[meeting.first()]) == meeting.lanes;
  Lanes mask, predicate;
  mask.fill(are_equal ? meeting.lanes : 0);
  predicate.fill(are_equal);
  meeting.write(meeting.step.dst, mask);
  meeting.write(meeting.step.second, predicate);
}

Signed128 reduced(MeetingOp op, Signed128 a, Signed128 b) {
  switch (op) {
    case MeetingOp::bit_and: return a & b;
    case MeetingOp::bit_or: return a | b;
    case MeetingOp::bit_xor: return a ^ b;
    case MeetingOp::min: return std::min(a, b);
    case MeetingOp::max: return std::max(a, b);
    default: return a + b;
  }
}

void redux(const Meeting& meeting) {
  const Lanes values = meeting.source(0);
  const uint32_t first = meeting.first();
  Signed128 total = integer_value(values[first], meeting.type());
  for_lanes(meeting.lanes & ~(uint32_t{1} << first),
            [&](uint32_t lane) { total = reduced(meeting.op(), total, integer_value(values[lane], meeting.type())); });
  Lanes result;
  result.fill(integer_bits(total, meeting.type()));
  meeting.write(meeting.step.dst, result);
}

void elect(const Meeting& meeting) {
  Lanes leader, is_leader = {};
  leader.fill(meeting.first());
  is_leader[meeting.first()] = 1;
  meeting.write(meeting.step.dst, leader);
  meeting.write(meeting.step.second, is_leader);
}

void active_mask(const Meeting& meeting) {
  Lanes mask;
  mask.fill(meeting.lanes);
  meeting.write(meeting.step.dst, mask);
}

}  // namespace

/// c holds a clamp (bits 4..0) and the mask of a segment (bits 12..8).
ShuffleSource shuffle_source(MeetingOp op, uint32_t lane, Bits b, Bits c) {
  const auto distance = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31), at = static_cast<int>(lane);
  const auto segment = static_cast<int>(c >> 8 & 31);
  const int least = at & segment, most = least | (clamp & ~segment);
  int from = least | (distance & ~segment);
  if (op == MeetingOp::up) from = at - distance;
  if (op == MeetingOp::down) from = at + distance;
  if (op == MeetingOp::bfly) from = at ^ distance;
  const bool is_in_range = op == MeetingOp::up ? from >= most : from <= most;
  return {is_in_range ? static_cast<uint32_t>(from) : lane, is_in_range};
}

bool meets_by_mask(Action action) {
  switch (action) {
    case Action::shuffle:
    case Action::vote:
    case Action::match_any:
    case Action::match_all:
    case Action::redux:
    case Action::elect:
    case Action::warp_sync: return true;
    default: return false;
  }
}

bool is_for_who_is_there(const Step& step) {
  if (step.action == Action::active_mask) return true;
  return meets_by_mask(step.action) && step.src[mask_source(step.action)].is_none();
}

size_t mask_source(Action action) {
  if (action == Action::shuffle) return 3;
  return action == Action::elect || action == Action::warp_sync ? 0 : 1;
}

void run_meeting(std::span<const Group* const> groups, const Step& step) {
  Meeting meeting = {step, groups};
  for (const Group* group : groups) meeting.lanes |= group->lanes;
  switch (step.action) {
    case Action::shuffle: return shuffle(meeting);
    case Action::vote: return vote(meeting);
    case Action::match_any: return match_any(meeting);
    case Action::match_all: return match_all(meeting);
    case Action::redux: return redux(meeting);
    case Action::elect: return elect(meeting);
    case Action::active_mask: return active_mask(meeting);
    default: return;
  }
}

}  // namespace jitc::emulator
