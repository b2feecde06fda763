// The functions that the driver brings: vprintf, __assertfail; malloc and free are refused.
#pragma once

#include <string>

#include "runtime/emulator/exec/warp.hpp"

namespace jitc::emulator::driver {

/// What a call left behind.
struct BuiltinOutcome {
  bool is_done = true;  ///< else warp.fault says why not
  std::string printed;  ///< by the group's lanes, in their order
  std::string message;  ///< more about the fault
};

/// Performs the call that the group is at, for all of its lanes. The group stays there.
BuiltinOutcome run_builtin(Warp& warp, const Group& group);

}  // namespace jitc::emulator::driver
