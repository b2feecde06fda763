#include "runtime/emulator/check/register_shadow.hpp"

namespace jitc::emulator {

Undefined RegisterShadow::of(uint32_t lane) const {
  if ((lanes_ >> lane & 1) == 0) return {};
  if (details_ == nullptr) return {~Bits{0}, false};
  return {details_->bits[lane], (details_->computed >> lane & 1) != 0};
}

Origin RegisterShadow::origin(uint32_t lane) const { return details_ == nullptr ? Origin() : details_->origins[lane]; }

void RegisterShadow::set(uint32_t lane, const Undefined& value, const Origin& origin) {
  const uint32_t bit = uint32_t{1} << lane;
  if (value.bits == 0) return define(bit);
  if (details_ == nullptr) {
    details_ = std::make_unique<Details>();
    details_->bits.fill(~Bits{0});
  }
  lanes_ |= bit;
  details_->bits[lane] = value.bits;
  details_->origins[lane] = origin;
  details_->computed = value.is_computed ? details_->computed | bit : details_->computed & ~bit;
}

/// Special registers are filled in before the first step.
FrameShadow::FrameShadow(const DecodedFunction& function) : registers(function.count_slots) {
  for (const SpecialUse& use : function.specials) registers[static_cast<size_t>(use.slot.index)].define(~uint32_t{0});
}

}  // namespace jitc::emulator
