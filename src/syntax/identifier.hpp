// Which characters may be in a name: Python's rule, without its normalisation (NFKC).
#pragma once

namespace jitc::syntax {

bool is_identifier_start(char32_t c);
bool is_identifier_continue(char32_t c);

}  // namespace jitc::syntax
