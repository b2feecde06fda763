// From which parameters of an entry an address was computed, for reports.
#pragma once

#include <set>

#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

/// Offsets, as the notes have them, of the words among the parameters that the access's address is a sum with: what
/// moves, sums, differences and selections lead back to, in whatever order the steps run. Index arithmetic and what was
/// loaded from elsewhere lead nowhere. Empty where the step is no access. Takes long: for what ends a launch.
std::set<uint32_t> address_params(const DecodedFunction& function, uint32_t step, const LaunchNotes& notes);

}  // namespace jitc::emulator
