// Text of unknown origin made safe to show: valid UTF-8, one column per code point, nothing that moves the cursor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/source/utf8.hpp"

namespace jitc::source {

/// Control characters become their pictures (U+2400 …), bidirectional controls and ill-formed bytes U+FFFD.
/// Tabs stay.
std::string visible(std::string_view text);

/// `count` code points from the `first` on (fewer at the end of `line`), each made visible.
std::vector<std::string> visible_columns(std::string_view line, size_t first, size_t count);

/// "'$'", "'é' (U+00E9)", and "U+0007" for what has no shape.
std::string quoted_character(char32_t c);

}  // namespace jitc::source
