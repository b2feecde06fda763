// Literals written so that they read back as the same value.
#pragma once

#include <string>
#include <string_view>

namespace jitc::syntax {

/// The shortest decimal form, always with a point or an exponent; infinity as "1e999".
std::string float_text(double value);
/// In double quotes, with escapes for what is not printable ASCII or beyond it.
std::string quoted_text(std::string_view value);

}  // namespace jitc::syntax
