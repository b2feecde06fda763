#include "runtime/emulator/exec/fault.hpp"

#include <algorithm>

namespace jitc::emulator {

std::string_view text_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::none: return "no fault";
    case FaultKind::out_of_bounds: return "out of bounds";
    case FaultKind::misaligned: return "misaligned";
    case FaultKind::write_to_constant: return "write to constant memory";
    case FaultKind::bad_call: return "call of an address that is no function";
    case FaultKind::stack_overflow: return "calls are nested too deeply for local memory";
    case FaultKind::trap: return "trap";
    case FaultKind::not_in_mask: return "a thread is not in the mask it gives";
    case FaultKind::stuck: return "no thread can go on";
    case FaultKind::assertion: return "assertion failed";
    case FaultKind::refused_call: return "call of a function that the emulator does not have";
    case FaultKind::uninitialised: return "uninitialised value";
    case FaultKind::race: return "race";
  }
  return "fault";
}

SourceLine source_of(const DecodedFunction& function, uint32_t step) {
  const auto behind = std::upper_bound(function.marks.begin(), function.marks.end(), step,
                                       [](uint32_t at, const SourceMark& mark) { return at < mark.step; });
  return behind == function.marks.begin() ? SourceLine{0, 0, 0} : std::prev(behind)->source;
}

}  // namespace jitc::emulator
