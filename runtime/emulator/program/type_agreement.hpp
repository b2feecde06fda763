// Which registers may stand where an instruction's type is. Source: PTX ISA, "Operand Type Checking".
#pragma once

#include "runtime/emulator/ptx/types.hpp"

namespace jitc::emulator {

/// Whether a register of type `have` fits an operand of type `wanted`; `may_be_wider` for ld, st and cvt.
bool agrees(Type wanted, Type have, bool may_be_wider);

}  // namespace jitc::emulator
