#include "runtime/emulator/driver/launch_builtins.hpp"

#include <fmt/format.h>

#include "runtime/emulator/alu/lane_mask.hpp"
#include "runtime/emulator/driver/launch_print.hpp"
#include "runtime/emulator/exec/calls.hpp"

namespace jitc::emulator::driver {
namespace {

BuiltinOutcome fail(Warp& warp, const Group& group, FaultKind kind, uint32_t lane, uint64_t address = 0) {
  warp.fault = {kind, Area::global, false, lane, address, 1, group.frame->function->decoded, group.step};
  return {false, {}, {}};
}

/// vprintf(format, arguments): how many arguments it read.
BuiltinOutcome run_vprintf(Warp& warp, const Group& group) {
  BuiltinOutcome outcome;
  for (uint32_t lanes = group.lanes; lanes != 0; lanes &= lanes - 1) {
    const uint32_t lane = first_lane(lanes);
    const PrintCall call = {argument_of(warp, group, 0, lane), argument_of(warp, group, 1, lane)};
    const auto printed = format_print(warp, lane, call);
    if (!printed) return fail(warp, group, FaultKind::out_of_bounds, lane, call.format);
    outcome.printed += printed->text;
    set_result(warp, group, lane, printed->count_arguments);
  }
  return outcome;
}

/// __assertfail(message, file, line, function, bytes of a character).
BuiltinOutcome run_assertfail(Warp& warp, const Group& group) {
  const uint32_t lane = first_lane(group.lanes);
  const auto text = [&](size_t nth) {
    return read_text(warp, lane, argument_of(warp, group, nth, lane)).value_or("?");
  };
  BuiltinOutcome outcome = fail(warp, group, FaultKind::assertion, lane);
  outcome.message =
      fmt::format("{}:{}: {}: Assertion `{}` failed", text(1), argument_of(warp, group, 2, lane), text(3), text(0));
  return outcome;
}

BuiltinOutcome refuse(Warp& warp, const Group& group, std::string_view name) {
  BuiltinOutcome outcome = fail(warp, group, FaultKind::refused_call, first_lane(group.lanes));
  outcome.message = fmt::format("{}: kernels have no heap here", name);
  return outcome;
}

}  // namespace

BuiltinOutcome run_builtin(Warp& warp, const Group& group) {
  const DecodedFunction& function = *group.frame->function->decoded;
  switch (function.calls[function.steps[group.step].index].builtin) {
    case Builtin::vprintf: return run_vprintf(warp, group);
    case Builtin::__assertfail: return run_assertfail(warp, group);
    case Builtin::malloc: return refuse(warp, group, "malloc");
    case Builtin::free: return refuse(warp, group, "free");
    case Builtin::none: break;
  }
  return {};
}

}  // namespace jitc::emulator::driver
