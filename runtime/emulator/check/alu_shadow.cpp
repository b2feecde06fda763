#include "runtime/emulator/check/alu_shadow.hpp"

#include "runtime/emulator/alu/lane_mask.hpp"

namespace jitc::emulator {
namespace {

constexpr uint32_t kFillings = 8;

using Row = std::array<Bits, kLanes>;

/// All zeros, all ones, the bits of another source (which makes both equal), then patterns without order, others for
/// each register: two undefined values are not the same.
Bits filling(uint32_t nth, Slot slot, Bits of_another) {
  if (nth == 0) return 0;
  if (nth == 1) return ~Bits{0};
  if (nth == 2) return of_another;
  Bits bits = (uint64_t{nth} << 32 | static_cast<uint32_t>(slot.index)) * 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 32) * 0xD6E8FEB86659FD93;
  return bits ^ bits >> 32;
}

struct Results {
  Row dst, second, carry;
};

class AluShadow {
 public:
  AluShadow(Frame& frame, FrameShadow& shadow, const Step& step)
      : frame_(frame), shadow_(shadow), step_(step), carry_(frame.function->decoded->carry) {}

  /// The lanes of which a source has an undefined bit.
  uint32_t undefined_lanes() const {
    uint32_t lanes = 0;
    for (const Slot slot : step_.src) lanes |= lanes_of(slot);
    return uses_carry() ? lanes | lanes_of(carry_) : lanes;
  }

  void define(uint32_t lanes) {
    for (const Slot slot : {step_.dst, step_.second}) {
      if (!slot.is_none()) shadow_of(slot).define(lanes);
    }
    if (uses_carry()) shadow_of(carry_).define(lanes);
  }

  void compare(uint32_t lanes) {
    const Results first = run(0, lanes);
    Row dst = {}, second = {}, carry = {};
    for (uint32_t nth = 1; nth < kFillings; ++nth) {
      const Results other = run(nth, lanes);
      for_lanes(lanes, [&](uint32_t lane) {
        dst[lane] |= first.dst[lane] ^ other.dst[lane];
        second[lane] |= first.second[lane] ^ other.second[lane];
        carry[lane] |= first.carry[lane] ^ other.carry[lane];
      });
    }
    for_lanes(lanes, [&](uint32_t lane) { set(lane, dst[lane], second[lane], carry[lane]); });
  }

 private:
  bool uses_carry() const { return step_.uses_carry; }
  RegisterShadow& shadow_of(Slot slot) { return shadow_.registers[static_cast<size_t>(slot.index)]; }
  uint32_t lanes_of(Slot slot) const {
    return slot.index < 0 ? 0 : shadow_.registers[static_cast<size_t>(slot.index)].lanes();
  }

  Row filled(Slot slot, Slot other, uint32_t nth, uint32_t lanes) {
    Row row = {};
    const Bits* values = frame_.source(slot);
    const Bits* others = frame_.source(other);
    for_lanes(lanes, [&](uint32_t lane) {
      const Bits undefined = slot.index < 0 ? 0 : shadow_of(slot).of(lane).bits;
      row[lane] = (values[lane] & ~undefined) | (filling(nth, slot, others[lane]) & undefined);
    });
    return row;
  }

  Results run(uint32_t nth, uint32_t lanes) {
    std::array<Row, 5> sources;
    AluRows rows = {nullptr, nullptr, nullptr, {}, &step_.alu.rules};
    for (size_t i = 0; i < sources.size(); ++i) {
      sources[i] = filled(step_.src[i], step_.src[i == 0 ? 1 : 0], nth, lanes);
      rows.src[i] = sources[i].data();
    }
    Results results = {};
    if (uses_carry()) {
      results.carry = filled(carry_, carry_, nth, lanes);
      for_lanes(lanes, [&](uint32_t lane) { results.carry[lane] &= 1; });
    }
    rows.dst = results.dst.data();
    rows.second = step_.second.is_none() ? nullptr : results.second.data();
    rows.carry = results.carry.data();
    step_.alu.run(rows, lanes);
    return results;
  }

  /// The first undefined source says where the value comes from.
  Origin origin_of(uint32_t lane) {
    for (const Slot slot : step_.src) {
      if ((lanes_of(slot) >> lane & 1) != 0) return shadow_of(slot).origin(lane);
    }
    return shadow_of(carry_).origin(lane);
  }

  bool is_computed(uint32_t lane) {
    bool is = !step_.moves_bits;
    for (const Slot slot : step_.src) is |= (lanes_of(slot) >> lane & 1) != 0 && shadow_of(slot).of(lane).is_computed;
    return is;
  }

  void set(uint32_t lane, Bits dst, Bits second, Bits carry) {
    const Origin origin = origin_of(lane);
    const bool computed = is_computed(lane);
    shadow_of(step_.dst).set(lane, {dst, computed}, origin);
    if (!step_.second.is_none()) shadow_of(step_.second).set(lane, {second, computed}, origin);
    if (uses_carry()) shadow_of(carry_).set(lane, {carry, computed}, origin);
  }

  Frame& frame_;
  FrameShadow& shadow_;
  const Step& step_;
  const Slot carry_;
};

}  // namespace

void shadow_alu(Frame& frame, FrameShadow& shadow, const Step& step, uint32_t lanes) {
  AluShadow alu(frame, shadow, step);
  const uint32_t undefined = alu.undefined_lanes() & lanes;
  alu.define(lanes & ~undefined);
  if (undefined != 0) alu.compare(undefined);
}

}  // namespace jitc::emulator
