// Integers of 128 bits: wide enough for every product, and the compiler's own.
#pragma once

namespace jitc::emulator {

__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;

}  // namespace jitc::emulator
