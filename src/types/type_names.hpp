// The names of scalar types.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "jitc/dtype.hpp"

namespace jitc::types {

/// "float32", "f4", "float_" … in the sense of numba.types.
std::optional<DType> scalar_type_from_name(std::string_view name);

/// All spellings, for suggestions.
const std::vector<std::string_view>& scalar_type_names();

}  // namespace jitc::types
