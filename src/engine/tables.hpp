// Arrays of constants of array functions, on the devices that calls of them use.
#pragma once

#include "src/array/ir.hpp"
#include "src/engine/state.hpp"

namespace jitc::engine {

/// The table on the place's device; on the CPU the constants themselves, which must not be written. It is there as long
/// as the program. Thread-safe.
Array table_array(const FunctionState& function, const array::Table& table, const Place& place);

}  // namespace jitc::engine
