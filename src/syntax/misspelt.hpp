// Which keyword a misspelt word at the beginning of a line was meant to be.
#pragma once

#include <string_view>

namespace jitc::syntax {

/// The keyword of a statement that is one slip of the keyboard away from `word`; empty when none is.
std::string_view nearest_statement_keyword(std::string_view word);

}  // namespace jitc::syntax
