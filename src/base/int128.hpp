// 128-bit integers under names that -Wpedantic accepts: Int128 holds every i8 and u8 value and their products.
#pragma once

namespace jitc::base {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

}  // namespace jitc::base
