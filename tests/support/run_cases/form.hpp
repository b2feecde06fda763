// Which kernel of a ufunc a case looks at.
#pragma once

#include <string>

#include "src/kernel/call_form.hpp"

namespace jitc::cases {

/// "next scalar -> next", then any of "rank 2", "group 4", "narrow"; of a gufunc "cores array scalar", then any of
/// "rank 2", "contiguous", "narrow". Throws CaseError.
kernel::CallForm parse_form(const std::string& text);

}  // namespace jitc::cases
