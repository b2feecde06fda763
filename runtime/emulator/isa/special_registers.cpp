#include "runtime/emulator/isa/special_registers.hpp"

namespace jitc::emulator {
namespace {

constexpr SpecialRegister kRegisters[] = {
#define SPECIAL(id, name, component, type, ptx, sm) {Special::id, name, component, Type::type, ptx, sm},
#include "runtime/emulator/isa/special_registers.def"
#undef SPECIAL
};

}  // namespace

const SpecialRegister* special_register(std::string_view name, std::string_view component) {
  for (const SpecialRegister& row : kRegisters) {
    if (row.name == name && row.component == component) return &row;
  }
  return nullptr;
}

bool is_clock(Special id) { return id >= Special::clock && id <= Special::globaltimer_hi; }

}  // namespace jitc::emulator
