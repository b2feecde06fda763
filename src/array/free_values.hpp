// Gives memory back as soon as no step looks at it.
#pragma once

#include "src/array/plan.hpp"

namespace jitc::array {

/// Puts a FreeStep behind the last step that takes an array, in the list of steps that made it.
Plan free_values(Plan plan);

}  // namespace jitc::array
