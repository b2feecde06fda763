// "did you mean": the nearest of some names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitc::sema {

/// The candidate with the fewest edits (insert, delete, replace, swap of neighbours), if near enough to be meant.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace jitc::sema
