// What a thread may not do.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/emulator/program/program.hpp"

namespace jitc::emulator {

enum class FaultKind : uint8_t {
  none,
  out_of_bounds,
  misaligned,
  write_to_constant,
  bad_call,
  stack_overflow,
  trap,
  not_in_mask,
  stuck,          ///< threads wait, and no other can let them go
  assertion,      ///< __assertfail
  refused_call,   ///< a function of the driver's that there is not here
  uninitialised,  ///< a check: what nothing has written is used
  race            ///< a check: two accesses that nothing orders
};

/// The first fault of a group. The owner adds block, thread and kernel.
struct Fault {
  FaultKind kind = FaultKind::none;
  Area area = Area::generic;
  bool is_write = false;
  uint32_t lane = 0;
  uint64_t address = 0;  ///< in the area's own space
  uint32_t size_bytes = 0;
  const DecodedFunction* function = nullptr;
  uint32_t step = 0;
};

/// "out of bounds", "misaligned"…
std::string_view text_of(FaultKind kind);

/// Where the step comes from, by .loc; line 0 where the text does not say.
SourceLine source_of(const DecodedFunction& function, uint32_t step);

}  // namespace jitc::emulator
