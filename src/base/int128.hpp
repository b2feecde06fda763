// A 128-bit integer under a name that -Wpedantic accepts: holds every i8 and u8 value and their products.
#pragma once

namespace jitc::base {

__extension__ using Int128 = __int128;

}  // namespace jitc::base
