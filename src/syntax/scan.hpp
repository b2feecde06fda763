// How far a name, a number or a string reaches. Scanning never fails; what is wrong inside is said when the value is
// made (number.hpp, string_literal.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jitc::syntax {

/// Offset after the name that begins at `at`; `at` itself when none does.
size_t scan_name(std::string_view text, size_t at);

/// Offset after the number that begins at `at`, with any letters that stick to it ("5f"), but without a keyword that
/// Python lets stick to it ("1if x else 2").
size_t scan_number(std::string_view text, size_t at);

/// The parts of a string literal's beginning.
struct StringOpening {
  uint32_t prefix_size = 0;  ///< 0 to 2 letters
  uint32_t quote_size = 0;   ///< 1 or 3; 0: no string begins here
  char quote = '"';
  bool raw = false, bytes = false, format = false;

  uint32_t size() const { return prefix_size + quote_size; }
};
StringOpening scan_string_opening(std::string_view text, size_t at);

struct StringExtent {
  size_t end;
  bool closed;
};
/// Where the string that `opening` begins at `at` ends: after its closing quotes, else at the line's or text's end.
StringExtent scan_string(std::string_view text, size_t at, const StringOpening& opening);

}  // namespace jitc::syntax
