// Sets of a warp's lanes: a bit for each.
#pragma once

#include <bit>
#include <cstdint>

namespace jitc::emulator {

/// The lowest; there is one.
inline uint32_t first_lane(uint32_t lanes) { return static_cast<uint32_t>(std::countr_zero(lanes)); }
inline uint32_t count_lanes(uint32_t lanes) { return static_cast<uint32_t>(std::popcount(lanes)); }

/// Calls body(lane) for each, the lowest first, while it answers true; whether it always did.
template <class Body>
inline bool all_lanes(uint32_t lanes, Body body) {
  for (; lanes != 0; lanes &= lanes - 1) {
    if (!body(first_lane(lanes))) return false;
  }
  return true;
}

/// Calls body(lane) for each, the lowest first.
template <class Body>
inline void for_lanes(uint32_t lanes, Body body) {
  for (; lanes != 0; lanes &= lanes - 1) body(first_lane(lanes));
}

}  // namespace jitc::emulator
