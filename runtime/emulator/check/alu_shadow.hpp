// What of an instruction's result depends on undefined bits of its sources.
#pragma once

#include "runtime/emulator/check/register_shadow.hpp"

namespace jitc::emulator {

/// Before the step, whose action is alu: sets the shadow of what it writes in `lanes`.
///
/// There is no rule for each instruction: it is run for several fillings of the undefined bits, and a bit of the result
/// that differs between two of them depends on them. What is found is right by construction; what depends on the
/// undefined bits for none of the fillings is taken as defined.
void shadow_alu(Frame& frame, FrameShadow& shadow, const Step& step, uint32_t lanes);

}  // namespace jitc::emulator
