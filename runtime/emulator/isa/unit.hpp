// Which part of a multiprocessor does an instruction's work: what counters sort by.
#pragma once

#include <cstdint>

#include "runtime/emulator/isa/form.hpp"

namespace jitc::emulator {

enum class Unit : uint8_t {
  integer,  ///< arithmetic, logic, shifts, bits, and comparisons of such
  half,     ///< f16 and bf16, packed ones too
  f32,      ///< additions, products, comparisons …
  f64,
  special,     ///< rcp, rsqrt, sqrt, sin, cos, lg2, ex2, tanh, and divisions of floats, in any type
  conversion,  ///< cvt
  move,        ///< mov, selections, permutations, addresses of other spaces
  load,
  store,
  atomic,
  control,  ///< branches, calls, the ends of threads
  barrier,  ///< of a block, and fences
  warp,     ///< shuffles, votes and the like
  other,
};

Unit unit_of(const Form& form);

}  // namespace jitc::emulator
