// Registers that the machine writes: %tid.x, %laneid, %clock64.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/emulator/ptx/types.hpp"

namespace jitc::emulator {

enum class Special : uint8_t {
#define SPECIAL(id, name, component, type, ptx, sm) id,
#include "runtime/emulator/isa/special_registers.def"
#undef SPECIAL
};

struct SpecialRegister {
  Special id;
  std::string_view name;
  std::string_view component;
  Type type;
  uint32_t min_version;
  uint32_t min_sm;
};

/// The register, or null. `name` begins with %.
const SpecialRegister* special_register(std::string_view name, std::string_view component);

/// Whether it differs from one read to the next in one thread.
bool is_clock(Special id);

}  // namespace jitc::emulator
