#include "runtime/emulator/program/address_params.hpp"

#include <algorithm>

namespace jitc::emulator {
namespace {

/// Whether the whole source is a term of the result, whatever the others are. Steps have functions and no opcodes, so
/// it is tried: the result must move as far as the source does. The others are small and no power of two, so that
/// products and shifts do not pass, once even and once odd: a selection takes either of its sources.
bool is_term(const Step& step, size_t source) {
  constexpr Bits kFar = (Bits{1} << 40) + 4096;
  const auto moves_along = [&](Bits others) {
    const auto result = [&](Bits value) {
      std::array<Bits, 5> operands = {others, others, others, others, others};
      operands[source] = value;
      return evaluate(step.alu, {operands[0], operands[1], operands[2], operands[3], operands[4]}).value;
    };
    return result(kFar) - result(0) == kFar;
  };
  return moves_along(6) || moves_along(7);
}

bool has_access(const Step& step) {
  return step.action == Action::load || step.action == Action::store || step.action == Action::atomic ||
         step.action == Action::reduce;
}

/// Walks from a slot to all that its values are made of.
class AddressWalk {
 public:
  AddressWalk(const DecodedFunction& function, bool are_in_memory)
      : function_(function), are_in_memory_(are_in_memory) {}

  std::set<uint32_t> from(Slot slot) {
    walk(slot);
    return std::move(found_);
  }

 private:
  void walk(Slot slot) {
    if (slot.is_none() || slot.is_constant() || !visited_.insert(slot.index).second) return;
    for (const Step& step : function_.steps) {
      if (step.action == Action::load) take_load(function_.accesses[step.index], slot);
      if (step.action == Action::alu && step.dst == slot) walk_terms(step);
    }
  }

  void walk_terms(const Step& step) {
    for (size_t i = 0; i < step.src.size(); ++i) {
      if (is_term(step, i)) walk(step.src[i]);
    }
  }

  void take_load(const Access& access, Slot slot) {
    for (size_t i = 0; i < access.count; ++i) {
      if (access.values[i] != slot || size_bytes(access.type) != 8 || !reads_params(access)) continue;
      found_.insert(static_cast<uint32_t>(access.offset_bytes) + static_cast<uint32_t>(8 * i));
    }
  }

  /// The block in memory is told by its address, which is the one parameter.
  bool reads_params(const Access& access) const {
    if (!are_in_memory_) return access.area == Area::kernel_param && access.base.is_none();
    return AddressWalk(function_, false).from(access.base) == std::set<uint32_t>{0};
  }

  const DecodedFunction& function_;
  bool are_in_memory_;
  std::set<int32_t> visited_;
  std::set<uint32_t> found_;
};

}  // namespace

std::set<uint32_t> address_params(const DecodedFunction& function, uint32_t step, const LaunchNotes& notes) {
  const Step& at = function.steps[step];
  if (!has_access(at)) return {};
  return AddressWalk(function, notes.are_in_memory).from(function.accesses[at.index].base);
}

}  // namespace jitc::emulator
